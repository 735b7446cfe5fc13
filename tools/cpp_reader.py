# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Finds functions and classes in C++ files: a reader of our formatting, not of C++."""

import re

NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    r'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
    re.DOTALL | re.MULTILINE)
NOT_FUNCTIONS = {"if", "for", "while", "switch", "catch", "requires", "noexcept", "decltype",
                 "alignas", "sizeof", "static_assert", "return"}
# Text that may stand between a parameter list and the body.
TAIL = re.compile(
    r"\s*(?:const|noexcept(?:\([^()]*\))?|override|final|mutable|&&?|->\s*[\w:<>,\s*&]+"
    r"|requires\b[^{;]*|:(?!:)[^;]*)*\s*$")
FUNCTION = re.compile(r"(~?\b[A-Za-z_]\w*|operator\s*[^\s\w(]+|operator\s*\(\))\s*\(")

# The head of a class with a body: its name, optional template arguments, optional bases.
CLASS = re.compile(
    r"(?<!enum )\b(?:class|struct|union)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^()]*\)\s*)*"
    r"([A-Za-z_][\w:]*)\s*(?:<[^;{}()=]*>)?\s*(?:final\s*)?(?::(?!:)[^;{}]*)?\{")
# The beginnings of statements in a class that declare no data member of each object.
NO_MEMBER = re.compile(
    r"(?:using|typedef|friend|static|template|requires|enum|class|struct|union|concept)\b"
    r"|.*\boperator\b|.*\bstatic_assert\b|.*\bfriend\b", re.DOTALL)
NAMED_BODY = re.compile(r"(?:enum|class|struct|union)\b.*\{\}\s*\w", re.DOTALL)
ACCESS = re.compile(r"\b(?:public|protected|private)\s*:(?!:)")
POINTER_TO_FUNCTION = re.compile(r"\(\s*\*\s*\w+\s*\)\s*\(")
# Macros and attributes with arguments beside a member's name are not parameter lists.
ANNOTATION = re.compile(r"\b(?:alignas|decltype|[A-Z][A-Z0-9_]{2,})\s*\([^()]*\)")


def blank_noise(text):
    """Replaces comments, literals and preprocessor lines by blanks, keeping line numbers."""
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def matching(text, start, opening, closing):
    """Returns the index of the bracket that closes the one at start, or the end."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] == opening:
            depth += 1
        elif text[index] == closing:
            depth -= 1
            if depth == 0:
                return index
    return len(text)


def count_parts(text):
    """Counts what commas outside all brackets separate."""
    depth = 0
    commas = 0
    for character in text.replace("->", "  "):
        if character in "(<[{":
            depth += 1
        elif character in ")>]}":
            depth -= 1
        elif character == "," and depth == 0:
            commas += 1
    return commas + 1


def count_parameters(text):
    """Counts the parameters in the text between the parentheses of a declaration."""
    if not text.strip() or text.strip() == "void":
        return 0
    return count_parts(text)


def functions(text):
    """Yields (name, first line, lines, parameters) of each function with a body.

    A function is a name, parentheses, a tail such as const or an initialiser list, and a brace.
    Functions within functions count as part of the outer one.
    """
    text = blank_noise(text)
    position = 0
    while match := FUNCTION.search(text, position):
        position = match.end()
        if match.group(1) in NOT_FUNCTIONS:
            continue
        close = matching(text, match.end() - 1, "(", ")")
        body = text.find("{", close)
        end = text.find(";", close)
        if body < 0 or (0 <= end < body) or not TAIL.match(text[close + 1:body]):
            continue
        last = matching(text, body, "{", "}")
        first_line = text.count("\n", 0, match.start()) + 1
        lines = text.count("\n", match.start(), last) + 1
        yield match.group(1), first_line, lines, count_parameters(text[match.end():close])
        position = last


def classes(text):
    """Yields (name, first line, lines, data members) of each class with a body, nested ones too."""
    text = blank_noise(text)
    for match in CLASS.finditer(text):
        last = matching(text, match.end() - 1, "{", "}")
        first_line = text.count("\n", 0, match.start()) + 1
        lines = text.count("\n", match.start(), last) + 1
        members = sum(map(count_members, statements(text[match.end():last])))
        yield match.group(1), first_line, lines, members


def statements(body):
    """Yields the statements of a class body, each with its inner braces emptied."""
    statement = ""
    index = 0
    while index < len(body):
        character = body[index]
        if character == ";":
            yield statement
            statement = ""
        elif character == "{":
            index = matching(body, index, "{", "}")
            statement += "{}"
            following = body[index + 1:].lstrip()[:1]
            # The body of a function ends its statement; after an initialiser the statement
            # continues.
            if following not in (";", ",", ")", "{") and not NAMED_BODY.match(
                    statement.strip() + following):
                yield statement
                statement = ""
        else:
            statement += character
        index += 1


def count_members(statement):
    """Returns how many data members of each object a statement of a class declares."""
    statement = ACCESS.sub("", statement).strip()
    statement = re.sub(r"\[\[[^\]]*\]\]", "", statement).strip()
    if NAMED_BODY.match(statement):
        return count_parts(statement)
    if not statement or NO_MEMBER.match(statement):
        return 0
    without_value = re.split(r"=|\{", statement, maxsplit=1)[0]
    while (shorter := re.sub(r"<[^<>]*>", "", without_value)) != without_value:
        without_value = shorter
    without_value = ANNOTATION.sub("", without_value)
    if "(" in without_value and not POINTER_TO_FUNCTION.search(without_value):
        return 0
    # A member is a type and a name.
    if len(re.findall(r"\w+", without_value)) < 2:
        return 0
    return count_parts(statement)
