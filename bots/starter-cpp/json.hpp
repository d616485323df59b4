// As much JSON as a bot needs: `Json::parse(line)` reads a value, `quoted(text)` writes a string.
#pragma once

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Json {
    enum Kind { null, boolean, number, string, array, object };

    Kind kind = null;
    std::string text;                    // of a string; of a number, true or false as it was written
    std::vector<Json> items;             // of an array
    std::map<std::string, Json> fields;  // of an object

    // A field of an object; null where there is none.
    const Json& operator[](const std::string& name) const {
        static const Json nothing;
        auto found = fields.find(name);
        return found == fields.end() ? nothing : found->second;
    }

    long long integer() const { return std::stoll(text); }

    std::vector<std::string> strings() const {
        std::vector<std::string> texts;
        for (const Json& item : items) texts.push_back(item.text);
        return texts;
    }

    static Json parse(const std::string& line) {
        const char* at = line.c_str();
        return value(at);
    }

private:
    static void skip(const char*& at) {
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') ++at;
    }

    static void expect(const char*& at, char what) {
        skip(at);
        if (*at != what) throw std::runtime_error(std::string("JSON: expected ") + what + " at " + at);
        ++at;
    }

    static Json value(const char*& at) {
        skip(at);
        Json json;
        if (*at == '{') {
            json.kind = object;
            list(at, '{', '}', [&] {
                skip(at);
                std::string name = characters(at);
                expect(at, ':');
                json.fields[name] = value(at);
            });
        } else if (*at == '[') {
            json.kind = array;
            list(at, '[', ']', [&] { json.items.push_back(value(at)); });
        } else if (*at == '"') {
            json.kind = string;
            json.text = characters(at);
        } else {
            json.text = word(at);
            json.kind = json.text == "null" ? null : json.text == "true" || json.text == "false" ? boolean : number;
        }
        return json;
    }

    template <typename Member>
    static void list(const char*& at, char open, char close, Member member) {
        expect(at, open);
        skip(at);
        if (*at != close) {
            member();
            for (skip(at); *at == ','; skip(at)) {
                ++at;
                member();
            }
        }
        expect(at, close);
    }

    static std::string word(const char*& at) {
        const char* begin = at;
        while (*at && std::string(",]} \t\r\n").find(*at) == std::string::npos) ++at;
        if (at == begin) throw std::runtime_error("JSON: the line ends too early");
        return std::string(begin, at);
    }

    static std::string characters(const char*& at) {
        expect(at, '"');
        std::string text;
        while (*at && *at != '"') {
            if (*at == '\\')
                escape(++at, text);
            else
                text += *at++;
        }
        expect(at, '"');
        return text;
    }

    static void escape(const char*& at, std::string& text) {
        static const std::string letters = "bfnrt", meanings = "\b\f\n\r\t";
        if (!*at) throw std::runtime_error("JSON: the line ends too early");
        if (*at == 'u') {
            const std::string digits(at + 1, strnlen(at + 1, 4));
            utf8(std::stoul(digits, nullptr, 16), text);
            at += 1 + digits.size();
        } else {
            auto place = letters.find(*at);
            text += place == std::string::npos ? *at : meanings[place];
            ++at;
        }
    }

    // Characters beyond the first 65,536, which come as two escapes, stay two: good enough for names and reasons.
    static void utf8(unsigned long code, std::string& text) {
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xc0 | code >> 6);
            text += static_cast<char>(0x80 | (code & 0x3f));
        } else {
            text += static_cast<char>(0xe0 | code >> 12);
            text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
            text += static_cast<char>(0x80 | (code & 0x3f));
        }
    }
};

inline std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') json += '\\';
        json += c;
    }
    return json + "\"";
}
