"""Nothing that stands in a page can break out of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tournament.webpage import Page

from mexica_cli.tournament.markup import Markup, element, join, name, text
from mexica_cli.tournament.report_text import plain

WILD = st.text(st.sampled_from("<>&\"'/=-!`\\ \n\x00\x1b[31m;a#x0\u202e\u2028אé💥") | st.characters())


@given(WILD)
def test_texts_and_attributes_come_out_as_they_went_in(wild: str) -> None:
    node = Page.read(element("p", wild, title=wild)).one("p")
    assert node.text == plain(wild)
    assert node["title"] == plain(wild)
    assert [child.tag for child in node] == ["p"]


@given(WILD)
def test_what_is_to_be_kept_is_kept(wild: str) -> None:
    assert Page.read(element("pre", text(wild, keep="\n\t"))).text == plain(wild, keep="\n\t")


def test_markup_goes_in_as_it_is() -> None:
    assert element("p", element("b", "<"), " & ", [element("i"), ["x"]]) == "<p><b>&lt;</b> &amp; <i></i>x</p>"
    assert join(["<", Markup("<br>")]) == "&lt;<br>"


def test_attributes() -> None:
    made = element("td", class_="a b", data_value=1.5, tabindex=0, open_=True, hidden=False, title=None)
    assert made == '<td class="a b" data-value="1.5" tabindex="0" open></td>'


def test_elements_without_end() -> None:
    assert element("br") == "<br>"
    assert element("meta", charset="utf-8") == '<meta charset="utf-8">'
    assert element("line", x1=0) == '<line x1="0"></line>'


def test_names_dont_turn_what_stands_beside_them() -> None:
    assert name("שלום<") == "<bdi>שלום&lt;</bdi>"
