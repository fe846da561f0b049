"""Strategies that make up official files, with every optional field there or not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Raw = dict[str, Any]
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
text = st.text(LETTERS, max_size=12)
words = st.lists(
    st.sampled_from(["the", "old", "ferry", "of", "Port", "Ellery", "naïve", "1,204", "$3.5"]),
    min_size=1,
).map(" ".join)
unknown = st.dictionaries(
    st.sampled_from(["source", "notes", "rank"]), st.none() | st.integers() | text
)


@st.composite
def span_of(draw: st.DrawFn, passage: str) -> Raw:
    """SQuAD's way to point at a stretch of text."""
    start = draw(st.integers(0, len(passage)))
    end = draw(st.integers(start, len(passage)))
    return {"text": passage[start:end], "answer_start": start, **draw(unknown)}


@st.composite
def squad(draw: st.DrawFn) -> list[Raw]:
    articles = []
    number = 0
    for _ in range(draw(st.integers(0, 3))):
        paragraphs = []
        for _ in range(draw(st.integers(0, 2))):
            context = draw(words)
            qas = []
            for _ in range(draw(st.integers(0, 3))):
                number += 1
                qa: Raw = {"id": f"q{number}", "question": draw(text), **draw(unknown)}
                match draw(st.sampled_from(["1.1", "answerable", "impossible", "hidden", "bare"])):
                    case "1.1":
                        qa["answers"] = draw(st.lists(span_of(context), min_size=1, max_size=3))
                    case "answerable":
                        qa["answers"] = draw(st.lists(span_of(context), min_size=1, max_size=3))
                        qa["is_impossible"] = False
                    case "impossible":
                        qa |= {"answers": [], "is_impossible": True}
                        if draw(st.booleans()):
                            qa["plausible_answers"] = draw(st.lists(span_of(context), max_size=2))
                    case "hidden":
                        qa["answers"] = []
                qas.append(qa)
            paragraphs.append({"context": context, "qas": qas, **draw(unknown)})
        articles.append({"title": draw(text), "paragraphs": paragraphs, **draw(unknown)})
    return articles


@st.composite
def quac(draw: st.DrawFn) -> list[Raw]:
    articles = []
    number = 0
    for article in range(draw(st.integers(0, 3))):
        context = draw(words) + " CANNOTANSWER"
        none = {"text": "CANNOTANSWER", "answer_start": len(context) - 12}
        qas = []
        for _ in range(draw(st.integers(0, 4))):
            number += 1
            qa: Raw = {"id": f"C_{article}_q#{number}", "question": draw(text), **draw(unknown)}
            if draw(st.booleans()):
                answers = st.lists(span_of(context) | st.just(none), min_size=1, max_size=4)
                qa |= {"answers": draw(answers), "orig_answer": draw(span_of(context))}
                qa["yesno"] = draw(st.sampled_from(["y", "n", "x", None]))
                qa["followup"] = draw(st.sampled_from(["y", "m", "n", None]))
            elif draw(st.booleans()):
                qa |= {"answers": [], "yesno": draw(st.sampled_from(["y", None]))}
            qas.append(qa)
        paragraph = {"id": f"C_{article}", "context": context, "qas": qas, **draw(unknown)}
        titles = draw(st.dictionaries(st.sampled_from(["title", "background"]), text | st.none()))
        articles.append({"paragraphs": [paragraph], **titles})
    return articles


@st.composite
def hotpotqa(draw: st.DrawFn) -> list[Raw]:
    items = []
    for number in range(draw(st.integers(0, 4))):
        context = draw(st.lists(st.tuples(text, st.lists(text | words, max_size=4)), max_size=4))
        raw: Raw = {"_id": f"q{number}", "question": draw(text), **draw(unknown)}
        raw["context"] = [[title, sentences] for title, sentences in context]
        if draw(st.booleans()):
            raw["answer"] = draw(st.sampled_from(["yes", "no", "noanswer"]) | text)
            facts = draw(st.lists(st.tuples(text, st.integers(0, 9)), max_size=3))
            raw["supporting_facts"] = [list(fact) for fact in facts]
        if draw(st.booleans()):
            raw["type"] = draw(st.sampled_from(["bridge", "comparison"]))
        items.append(raw)
    return items


@st.composite
def hotpotqa_paragraphs(draw: st.DrawFn) -> list[Raw]:
    items = []
    for _ in range(draw(st.integers(1, 4))):
        raw: Raw = {"title": draw(text), **draw(unknown)}
        if draw(st.booleans()):
            raw["sentences"] = draw(st.lists(text | words, max_size=4))
        else:
            raw["text"] = draw(text)
        if draw(st.booleans()):
            raw["_id"] = draw(text)
        items.append(raw)
    return items


@st.composite
def hotpotqa_gold_sentences(draw: st.DrawFn) -> list[Raw]:
    answer = st.sampled_from(["yes", "no", "noanswer"]) | text
    line = st.fixed_dictionaries({"question": text, "knowledge": text, "answer": answer})
    return [{**draw(line), **draw(unknown)} for _ in range(draw(st.integers(1, 3)))]


@st.composite
def iirc_snippets(draw: st.DrawFn) -> list[Raw]:
    items = []
    for _ in range(draw(st.integers(1, 4))):
        raw: Raw = {"question": draw(text), "link_context": draw(text), **draw(unknown)}
        if draw(st.booleans()):
            raw["main_context"] = draw(text)
        if draw(st.booleans()):
            raw["answer"] = draw(st.lists(text | st.just("none"), max_size=2))
        if draw(st.booleans()):
            raw |= {"passage": draw(text), "gold_link": draw(text), "link_candidates": []}
        items.append(raw)
    return items


@st.composite
def openbookqa(draw: st.DrawFn) -> list[Raw]:
    items = []
    for number in range(draw(st.integers(0, 4))):
        count = draw(st.integers(1, 5))
        choices = [{"text": draw(text), "label": "ABCDE"[n], **draw(unknown)} for n in range(count)]
        stem = {"stem": draw(text), "choices": choices, **draw(unknown)}
        raw: Raw = {"id": f"q{number}", "question": stem, **draw(unknown)}
        if draw(st.booleans()):
            raw["answerKey"] = "ABCDE"[draw(st.integers(0, count - 1))]
        if draw(st.booleans()):
            fact = raw[draw(st.sampled_from(["fact1", "fact"]))] = draw(words)
            if draw(st.booleans()):
                spans = [draw(span_of(fact)) for _ in range(draw(st.integers(0, 2)))]
                raw["answer_spans"] = [span["text"] for span in spans]
                raw["answer_starts"] = [span["answer_start"] for span in spans]
                if draw(st.booleans()) and fact.isascii():
                    raw["answer_spans"] = [span["text"].upper() for span in spans]
                raw["relations"] = draw(st.lists(st.sampled_from(["madeof", "isa"]), max_size=3))
        items.append(raw)
    return items


@st.composite
def drop_answer(draw: st.DrawFn) -> Raw:
    date = {"day": "", "month": "", "year": ""}
    answer: Raw = {"number": "", "spans": [], "date": date, **draw(unknown)}
    match draw(st.sampled_from(["number", "whole", "spans", "date", "both", "empty", "short"])):
        case "number":
            answer["number"] = draw(st.sampled_from(["3", "12.50", "1,204", "-5", "many"]))
        case "whole":
            answer["number"] = draw(st.integers(-9, 9))
        case "spans":
            answer["spans"] = draw(st.lists(text, min_size=1, max_size=3))
        case "date":
            answer["date"] = {part: draw(text) for part in date}
        case "both":
            answer |= {"number": "3", "spans": ["three boats"]}
        case "short":
            return {"spans": ["yes"]}
    return answer


@st.composite
def drop(draw: st.DrawFn) -> dict[str, Raw]:
    passages = {}
    number = 0
    for passage in range(draw(st.integers(0, 3))):
        qa_pairs = []
        for _ in range(draw(st.integers(0, 3))):
            number += 1
            qa: Raw = {"query_id": f"q{number}", "question": draw(text), **draw(unknown)}
            if draw(st.booleans()):
                qa["answer"] = draw(drop_answer())
                if draw(st.booleans()):
                    qa["validated_answers"] = draw(st.lists(drop_answer(), max_size=2))
            qa_pairs.append(qa)
        passages[f"p{passage}"] = {"passage": draw(words), "qa_pairs": qa_pairs, **draw(unknown)}
    return passages


@st.composite
def drop_reduced(draw: st.DrawFn) -> list[Raw]:
    passages = []
    number = 0
    for passage in range(draw(st.integers(1, 3))):
        text_of_passage = draw(words)
        part = st.sampled_from(text_of_passage.split())
        answer = text | part | st.lists(part, min_size=1, max_size=3).map(" and ".join)
        qa_pairs = []
        for _ in range(draw(st.integers(0, 3))):
            number += 1
            qa: Raw = {"query_id": f"q{number}", "question": draw(text), **draw(unknown)}
            if draw(st.booleans()):
                qa["answers"] = draw(st.lists(answer, max_size=4))
            qa_pairs.append(qa)
        raw = {"passage_id": f"p{passage}", "passage": text_of_passage, "qa_pairs": qa_pairs}
        passages.append({**raw, **draw(unknown)})
    return passages


@st.composite
def iirc_answer(draw: st.DrawFn) -> Raw:
    match kind := draw(st.sampled_from(["span", "value", "binary", "none", "bad"])):
        case "span":
            spans = [{"text": draw(text), **draw(unknown)} for _ in range(draw(st.integers(1, 3)))]
            return {"type": kind, "answer_spans": spans, **draw(unknown)}
        case "value":
            value = draw(st.sampled_from(["27", "1,204", "about 3"]))
            unit = {"answer_unit": draw(text)} if draw(st.booleans()) else {}
            return {"type": kind, "answer_value": value, **unit}
        case "binary":
            return {"type": kind, "answer_value": draw(st.sampled_from(["yes", "no"]))}
    odd = {"answer_spans": [{"text": "x"}]} if draw(st.booleans()) else {}
    return {"type": kind, **odd, **draw(unknown)}


@st.composite
def iirc(draw: st.DrawFn) -> list[Raw]:
    items = []
    number = 0
    for passage in range(draw(st.integers(0, 3))):
        content = draw(words)
        questions = []
        for _ in range(draw(st.integers(0, 3))):
            number += 1
            raw: Raw = {"qid": f"q{number}", "question": draw(text), **draw(unknown)}
            if draw(st.booleans()):
                raw["answer"] = draw(iirc_answer())
                raw["question_links"] = draw(st.lists(text, max_size=2))
                context = []
                for _ in range(draw(st.integers(0, 3))):
                    if draw(st.booleans()):
                        span = draw(span_of(content))
                        end = span["answer_start"] + len(span["text"])
                        indices = [span["answer_start"], end]
                        context.append(
                            {"passage": "main", "text": span["text"], "indices": indices}
                        )
                    else:
                        source = draw(st.sampled_from(["ada quill", "Port Ellery", "main", "p0"]))
                        quoted: Raw = {"passage": source, "text": draw(text), **draw(unknown)}
                        if draw(st.booleans()):
                            quoted["indices"] = [0, 99]
                        context.append(quoted)
                raw["context"] = context
            questions.append(raw)
        links = []
        for _ in range(draw(st.integers(0, 3))):
            span = draw(span_of(content))
            start = span["answer_start"]
            links.append({"target": draw(text), "indices": [start, start + len(span["text"])]})
        pid = draw(st.sampled_from(["", f"p{passage}"]))
        item: Raw = {"pid": pid, "text": content, "links": links, "questions": questions}
        if draw(st.booleans()):
            item["title"] = draw(text | st.just("Port Ellery"))
        items.append({**item, **draw(unknown)})
    return items


patterns = st.sampled_from(["^yes$", "^no$", "^none$", "Port|Ellery", r"(?<!\d)14(?!\d)"])
names = st.sampled_from(["git-doc", "rust.book", "Schulbücher"])
places = st.lists(st.fixed_dictionaries({"file": text, "sentence": text}), max_size=2)


@st.composite
def judged(draw: st.DrawFn) -> Raw:
    """A question with the patterns of its answer, or without."""
    raw: Raw = {"question": draw(text), **draw(unknown)}
    if draw(st.booleans()):
        match = draw(patterns | st.lists(patterns, min_size=1, max_size=3))
        raw |= {"gold": draw(text), "match": match, "evidence": draw(places)}
    return raw


@st.composite
def real_questions(draw: st.DrawFn) -> list[Raw]:
    labels = st.fixed_dictionaries(
        {}, optional={"kind": text, "pair": text, "paraphrase": st.booleans(), "note": text}
    )
    return [
        {"id": f"q{number}", "corpus": draw(names), **draw(judged()), **draw(labels)}
        for number in range(draw(st.integers(0, 4)))
    ]


@st.composite
def real_dialogs(draw: st.DrawFn) -> list[Raw]:
    return [
        {
            "id": f"d{number}",
            "corpus": draw(names),
            "turns": draw(st.lists(judged(), max_size=3)),
            **draw(unknown),
        }
        for number in range(draw(st.integers(0, 3)))
    ]
