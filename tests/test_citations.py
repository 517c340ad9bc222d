"""Every law names its source, and every source named anywhere in the package is in docs/references.bib.

The convention:

- A work is cited by its first author's family name and the year, ``Machado 2010, Eq. 27``; its key is the same
  without the space and without accents, ``Machado2010``. Further authors may stand between name and year.
- The docstring of every file under ``laws/`` that holds a function has a paragraph that begins with ``Source:``
  and cites at least one work, or says ``Source: elementary.``
- A work with ``numbered = {yes}`` in the bibliography is cited there with its equation, table, figure or
  section.
- Every public function of a law has a docstring that gives units in brackets.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from pathlib import Path

import pytest

from condyle.laws.contact import CONTACT_LAWS

ROOT = Path(__file__).parents[1]
BIBLIOGRAPHY = ROOT / "docs" / "references.bib"
PACKAGE = ROOT / "src" / "condyle"
LAWS = PACKAGE / "laws"

YEAR = r"((?:18|19|20)\d\d)"
OTHERS = r"(?:(?:,\s[A-Z]\w+)*,?\s(?:&|and)\s[A-Z]\w+|\set\sal\.)?"
PLACE = r"(,\s(?:Eqs?|Tables?|Figures?|Sections?)\b)?"
SPACED = re.compile(rf"\b([A-Z]\w+){OTHERS}\s{YEAR}\b(?![-.:/]\d){PLACE}")
JOINED = re.compile(rf"\b([A-Z][a-zA-Z]*[a-z]){YEAR}\b")
# Words that stand before a year without being anybody's name.
MONTHS = {"January", "February", "March", "April", "May", "June"}
MONTHS |= {"July", "August", "September", "October", "November", "December"}
NO_NAMES = MONTHS | {"Copyright", "Draft", "Python", "Debian"}


def bibliography(text: str) -> dict[str, bool]:
    """Keys of a BibTeX file, each with whether its equations are numbered."""
    entries = re.split(r"^@\w+\{", text, flags=re.M)[1:]
    keys = [entry.split(",", 1)[0].strip() for entry in entries]
    assert len(set(keys)) == len(keys), f"a key twice: {sorted(key for key in keys if keys.count(key) > 1)}"
    return {k: bool(re.search(r"numbered\s*=\s*\{yes\}", e)) for k, e in zip(keys, entries, strict=True)}


def citations(text: str) -> list[tuple[str, bool]]:
    """Keys cited in a text, each with whether the place in the work is given."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    spaced = [
        (name + year, bool(place))
        for name, year, place in SPACED.findall(plain)
        if name not in NO_NAMES | MONTHS
    ]
    return spaced + [(name + year, False) for name, year in JOINED.findall(plain)]


def unknown_keys(text: str, known: dict[str, bool]) -> list[str]:
    """Keys cited in a text that the bibliography does not have."""
    return sorted({key for key, _ in citations(text)} - set(known))


def law_problems(code: str, known: dict[str, bool]) -> list[str]:
    """What a law's file lacks, in sentences."""
    tree = ast.parse(code)
    functions = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    if not functions:
        return []
    problems = [
        f"{f.name} has no docstring with units in brackets"
        for f in functions
        if not re.search(r"\[[^\]]+\]|arguments as in|own unit", ast.get_docstring(f) or "")
    ]
    source = re.search(r"^Source:(.*?)(?:\n\s*\n|\Z)", ast.get_docstring(tree) or "", flags=re.M | re.S)
    if source is None:
        return [*problems, "the docstring has no paragraph 'Source:'"]
    cited = citations(source.group(1))
    if not cited and source.group(1).strip() != "elementary.":
        problems.append("'Source:' cites no work")
    places = {key for key, place in cited if place}
    problems += [f"{k} is numbered: give the equation" for k, _ in cited if known.get(k) and k not in places]
    return problems


@pytest.fixture(scope="module")
def known() -> dict[str, bool]:
    return bibliography(BIBLIOGRAPHY.read_text(encoding="utf-8"))


def test_bibliography_is_sound(known: dict[str, bool]) -> None:
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    assert len(known) > 10
    assert {key for key, numbered in known.items() if numbered} >= {
        "Machado2010",
        "Kasai2024",
        "Andersen2017",
    }
    for key in known:
        entry = re.search(rf"^@\w+\{{{key},(.*?)^\}}", text, flags=re.M | re.S)
        assert entry, f"{key}: not closed by a brace at the start of a line"
        assert JOINED.fullmatch(key), f"{key} is not a family name and a year"
        for field in ("author", "title"):
            assert re.search(rf"^\s*{field}\s*=\s*\{{\S", entry[1], flags=re.M), f"{key} has no {field}"
        assert re.search(rf"^\s*year\s*=\s*\{{{key[-4:]}\}}", entry[1], flags=re.M), f"{key}: year differs"


def test_every_law_names_its_source(known: dict[str, bool]) -> None:
    files = sorted(LAWS.rglob("*.py"))
    problems = {
        str(path.relative_to(LAWS)): found
        for path in files
        if path.name != "__init__.py" and (found := law_problems(path.read_text(encoding="utf-8"), known))
    }
    assert len(files) > 20
    assert problems == {}


def test_every_key_in_the_package_is_known(known: dict[str, bool]) -> None:
    files = [
        path for path in sorted(PACKAGE.rglob("*")) if path.suffix in {".py", ".yaml", ".yml", ".md", ".txt"}
    ]
    texts = {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in files}
    assert sum(len(citations(text)) for text in texts.values()) > 30
    assert {name: found for name, text in texts.items() if (found := unknown_keys(text, known))} == {}


def test_registered_laws_refer_to_known_works(known: dict[str, bool]) -> None:
    assert {law.reference for law in CONTACT_LAWS.values()} <= set(known)


# --- the checker's own failing cases ---

KNOWN = {"Machado2010": True, "Hunt1975": False, "Ambrosio2003": False}
GOOD = (
    '"""A law.\n\nSource: Machado 2010, Eq. 27; Hunt 1975.\n\nMore.\n"""\n\ndef f():\n    """Force [N]."""\n'
)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("x = 1  # Machado 2010, Eq. 27", []),
        ("see Ambrósio 2003 and Hunt1975", []),
        ("x = 1  # Machadi 2010, Eq. 27", ["Machadi2010"]),
        ("as Machado\n2011 has it", ["Machado2011"]),
        ("    # as Machado\n    # 2011", []),
        ('reference="Hunt1976"', ["Hunt1976"]),
        ("Hunt 1975 and Crossley 1976", ["Crossley1976"]),
        ("Hunt & Crossley 1975, Hunt, Crossley and Machado 1975, Machado et al. 2010", []),
        ("Crossley & Hunt 1975", ["Crossley1975"]),
        ("In May 2010, JSON Schema Draft 2020-12, Copyright 2024", []),
    ],
)
def test_unknown_keys_are_found(text: str, keys: list[str]) -> None:
    assert unknown_keys(text, KNOWN) == keys


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (GOOD.replace("Source:", "From:"), "no paragraph"),
        (GOOD.replace("Machado 2010, Eq. 27; Hunt 1975.", "somebody."), "cites no work"),
        (GOOD.replace("Machado 2010, Eq. 27; ", "Machado 2010; "), "give the equation"),
        (GOOD.replace("Force [N].", "Force."), "units"),
        (GOOD.replace('    """Force [N]."""\n', "    pass\n"), "units"),
        ('def f():\n    """Force [N]."""\n', "no paragraph"),
    ],
)
def test_uncited_laws_are_found(code: str, problem: str) -> None:
    assert any(problem in found for found in law_problems(code, KNOWN))


def test_cited_laws_pass() -> None:
    assert law_problems(GOOD, KNOWN) == []
    assert law_problems(GOOD.replace("Machado 2010, Eq. 27; Hunt 1975.", "elementary."), KNOWN) == []
    assert law_problems('"""Only names.\n"""\nx = 1\n', KNOWN) == []


def test_key_twice_is_found() -> None:
    with pytest.raises(AssertionError, match="a key twice"):
        bibliography("@article{A2000,\n}\n@article{A2000,\n}\n")
