// A small JSON reader: enough for the protocol's lines, and strict only where that costs nothing.

#pragma once

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct Json {
    enum Kind { Null, Bool, Number, Text, List, Object } kind = Null;
    bool truth = false;
    double number = 0;
    std::string text;
    std::vector<Json> list;
    std::map<std::string, Json> fields;

    bool is_null() const { return kind == Null; }
    bool has(const std::string& name) const { return kind == Object && fields.count(name) && !at(name).is_null(); }

    // The field of that name; null where there is none.
    const Json& at(const std::string& name) const {
        static const Json nothing;
        const auto found = fields.find(name);
        return found == fields.end() ? nothing : found->second;
    }
    long integer(long otherwise = 0) const { return kind == Number ? static_cast<long>(number) : otherwise; }
    std::vector<int> integers() const {
        std::vector<int> made;
        for (const Json& item : list) made.push_back(static_cast<int>(item.integer()));
        return made;
    }

    static Json parse(const std::string& line);
};

class JsonReader {
public:
    explicit JsonReader(const std::string& line) : at_(line.c_str()), end_(at_ + line.size()) {}

    Json document() {
        Json made = value(0);
        skip();
        if (at_ != end_) fail();
        return made;
    }

private:
    const char* at_;
    const char* end_;

    [[noreturn]] static void fail() { throw std::runtime_error("this line is no JSON"); }

    void skip() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
    }
    char next() {
        if (at_ == end_) fail();
        return *at_++;
    }
    bool taken(char wanted) {
        skip();
        if (at_ == end_ || *at_ != wanted) return false;
        ++at_;
        return true;
    }
    void expect(const char* word) {
        for (; *word; ++word)
            if (next() != *word) fail();
    }

    Json value(int depth) {
        if (depth > 200) fail();
        skip();
        if (at_ == end_) fail();
        Json made;
        switch (*at_) {
            case '{': return object(depth);
            case '[': return array(depth);
            case '"':
                made.kind = Json::Text;
                made.text = string();
                return made;
            case 't':
            case 'f':
                made.kind = Json::Bool;
                made.truth = *at_ == 't';
                expect(made.truth ? "true" : "false");
                return made;
            case 'n': expect("null"); return made;
            default: break;
        }
        char* after = nullptr;
        made.kind = Json::Number;
        made.number = std::strtod(at_, &after);
        if (after == at_) fail();
        at_ = after;
        return made;
    }

    Json object(int depth) {
        Json made;
        made.kind = Json::Object;
        next();
        if (taken('}')) return made;
        do {
            skip();
            std::string name = string();
            if (!taken(':')) fail();
            made.fields[std::move(name)] = value(depth + 1);
        } while (taken(','));
        if (!taken('}')) fail();
        return made;
    }

    Json array(int depth) {
        Json made;
        made.kind = Json::List;
        next();
        if (taken(']')) return made;
        do made.list.push_back(value(depth + 1));
        while (taken(','));
        if (!taken(']')) fail();
        return made;
    }

    std::string string() {
        if (next() != '"') fail();
        std::string made;
        for (char c = next(); c != '"'; c = next()) {
            if (c != '\\') {
                made += c;
                continue;
            }
            switch (c = next()) {
                case 'n': made += '\n'; break;
                case 't': made += '\t'; break;
                case 'r': made += '\r'; break;
                case 'b': made += '\b'; break;
                case 'f': made += '\f'; break;
                case 'u': unicode(made); break;
                default: made += c;
            }
        }
        return made;
    }

    unsigned four_digits() {
        unsigned code = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = next();
            code = code * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        }
        return code;
    }

    void unicode(std::string& made) {
        unsigned code = four_digits();
        if (code >= 0xd800 && code < 0xdc00 && end_ - at_ > 5 && at_[0] == '\\' && at_[1] == 'u') {
            at_ += 2;
            code = 0x10000 + ((code - 0xd800) << 10) + (four_digits() - 0xdc00);
        }
        const auto put = [&](unsigned byte) { made += static_cast<char>(byte); };
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xc0 | code >> 6), put(0x80 | (code & 63));
        } else if (code < 0x10000) {
            put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
        } else {
            put(0xf0 | (code >> 18 & 7)), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63));
            put(0x80 | (code & 63));
        }
    }
};

inline Json Json::parse(const std::string& line) { return JsonReader(line).document(); }

// A text as JSON writes it.
inline std::string quoted(const std::string& text) {
    static const char* const digits = "0123456789abcdef";
    std::string made = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            made += '\\', made += c;
        } else if (byte < 32) {
            made += "\\u00", made += digits[byte >> 4], made += digits[byte & 15];
        } else {
            made += c;
        }
    }
    return made + '"';
}
