"""What follow-ups are read as, in dialogs about handbooks, recipes, manuals, people and places."""

from __future__ import annotations

import pytest

from lacuna.pipeline.dialog.conversation import understand
from lacuna.pipeline.dialog.questions import NameKind
from lacuna.types import Answer, AnswerKind, Turn

KINDS = {
    "Mira Tolland": NameKind.WOMAN,
    "Edvard Lunde": NameKind.MAN,
    "Perrin Cobb": NameKind.MAN,
    "Caddo": NameKind.OTHER,
    "Kestrel": NameKind.OTHER,
    "Visual Harbour": NameKind.OTHER,
}


def answer(said: str | tuple[str, ...] | None) -> Answer:
    if said is None:
        return Answer.none()
    if isinstance(said, tuple):
        return Answer.spans(said)
    return {"yes": Answer.yes(), "no": Answer.no()}.get(said) or Answer.span(said)


def read_as(*turns: tuple[str, str | tuple[str, ...] | None], then: str, title: str = "") -> str:
    history = [Turn(question, answer(said)) for question, said in turns]
    return understand(then, history, title=title, kind_of=KINDS.get).text


@pytest.mark.parametrize(
    ("asked", "said", "then", "read"),
    [
        # biographies: who is meant
        ("Who founded the Harbour Gazette?", "Edvard Lunde", "When was he born?",
         "When was Edvard Lunde born?"),
        ("Who founded the Harbour Gazette?", "Edvard Lunde", "When was it first printed?",
         "When was the Harbour Gazette first printed?"),
        ("Who founded the Harbour Gazette?", "Edvard Lunde", "Where did his father work?",
         "Where did Edvard Lunde's father work?"),
        ("Who painted the Winter Door?", "Mira Tolland", "What else did she paint?",
         "What else did Mira Tolland paint?"),
        ("Who did Mira Tolland marry?", "Jon Asper", "Where did she study?",
         "Where did Mira Tolland study?"),
        ("Who did Mira Tolland marry?", "Jon Asper", "When did he die?", "When did Jon Asper die?"),
        ("When was Mira Tolland born?", "1871", "And Edvard Lunde?",
         "When was Edvard Lunde born?"),
        ("When was Mira Tolland born?", "1871", "And where?", "Where was Mira Tolland born?"),
        ("When was Mira Tolland born?", "1871", "And her brother?",
         "When was Mira Tolland's brother born?"),
        ("Where did Mira Tolland live?", "Port Sund", "How large is it?",
         "How large is Port Sund?"),
        ("Where did Mira Tolland live?", "Port Sund", "Who else lived there?",
         "Who else lived in Port Sund?"),
        ("Who wrote The Long Tide?", "Mira Tolland", "When?",
         "When did Mira Tolland write The Long Tide?"),
        ("Who first climbed Mount Arrel?", "Edvard Lunde", "In which year?",
         "In which year did Edvard Lunde first climb Mount Arrel?"),
        ("When did Perrin Cobb leave the navy?", "1911", "Why?",
         "Why did Perrin Cobb leave the navy?"),
        ("When did Perrin Cobb leave the navy?", "1911", "How old was he then?",
         "How old was Perrin Cobb in 1911?"),
        ("Which ship did Perrin Cobb command?", "the Kestrel", "When was she launched?",
         "When was she launched?"),
        ("Which school did Mira Tolland attend?", "Sund Academy", "When was it founded?",
         "When was Sund Academy founded?"),
        # handbooks
        ("How many days of leave do new employees get?", "20", "And managers?",
         "How many days of leave do managers get?"),
        ("How many days of leave do new employees get?", "20", "Can they carry them over?",
         "Can new employees carry them over?"),
        ("Who approves travel expenses?", "the finance lead", "Since when?",
         "Since when does the finance lead approve travel expenses?"),
        ("Who approves travel expenses?", "the finance lead", "By when?",
         "By when does the finance lead approve travel expenses?"),
        ("How high is the meal allowance?", "30 euros a day", "Since when?",
         "Since when is the meal allowance 30 euros a day?"),
        ("How high is the meal allowance?", "30 euros a day", "And the travel allowance?",
         "How high is the travel allowance?"),
        ("How high is the meal allowance?", "30 euros a day", "What about the hotel allowance?",
         "How high is the hotel allowance?"),
        ("How high is the meal allowance in Norway?", "40 euros", "And in Sweden?",
         "How high is the meal allowance in Sweden?"),
        ("How high is the meal allowance in Norway?", "40 euros", "And Sweden?",
         "How high is the meal allowance in Sweden?"),
        ("What was the budget in 2019?", "2 million", "And in 2021?",
         "What was the budget in 2021?"),
        ("What was the budget in 2019?", "2 million", "2021?", "What was the budget in 2021?"),
        ("Must contractors sign the security policy?", "yes", "And the travel policy?",
         "Must contractors sign the travel policy?"),
        ("Must contractors sign the security policy?", "no", "Why not?",
         "Why mustn't contractors sign the security policy?"),
        ("Who leads the design guild?", "Ana Brandt", "When does it meet?",
         "When does the design guild meet?"),
        ("Who leads the design guild?", "Ana Brandt", "When did she join?",
         "When did Ana Brandt join?"),
        ("Who leads the Falcon Project?", None, "When did he join?", "When did he join?"),
        # recipes
        ("How long must the rye bread bake?", "50 minutes", "At what temperature?",
         "At what temperature must the rye bread bake?"),
        ("How long must the rye bread bake?", "50 minutes", "And the rolls?",
         "How long must the rolls bake?"),
        ("How do I knead the rye dough?", "by hand", "How long does it take?",
         "How long does it take to knead the rye dough?"),
        ("How many eggs does the plum cake need?", "three", "And how much sugar?",
         "How much sugar does the plum cake need?"),
        ("How many eggs does the plum cake need?", "three", "How long does it keep?",
         "How long does the plum cake keep?"),
        ("How long can cooked lentils be kept?", "three days", "And raw ones?",
         "How long can raw lentils be kept?"),
        ("Which spices are in the soup?", ("cumin", "clove"), "Where do they come from?",
         "Where do cumin and clove come from?"),
        # software
        ("What is the default value of cache_size?", "64", "And of cache_age?",
         "What is the default value of cache_age?"),
        ("What is the default value of cache_size?", "64", "And cache_age?",
         "What is the default value of cache_age?"),
        ("What is the default value of cache_size?", "64", "Can it be changed at run time?",
         "Can the default value of cache_size be changed at run time?"),
        ("What does the sweep command do?", "it removes old logs", "Does it ask before it does?",
         "Does the sweep command ask before it does?"),
        ("After how many tries does Caddo give up?", "five", "Why?",
         "Why does Caddo give up after five?"),
        ("Does Caddo support symbolic links?", "no", "And hard links?",
         "Does Caddo support hard links?"),
        ("Does Caddo support symbolic links?", "yes", "Since when?",
         "Since when does Caddo support symbolic links?"),
        ("How do I install Caddo on Linux?", "with make", "And on Windows?",
         "How do I install Caddo on Windows?"),
        ("How do I install Caddo on Linux?", "with make", "How do I remove it?",
         "How do I remove Caddo?"),
        ("What is Caddo written in?", "Pascal", "Who wrote it?", "Who wrote Caddo?"),
        ("What is Caddo?", "a backup program", "How old is he?", "How old is he?"),
        ("Where does Kestrel keep its log files?", "/var/log/kestrel", "How large may they get?",
         "How large may Kestrel's log files get?"),
        ("Which option skips the checks?", "--quick", "Is it safe to use?",
         "Is --quick safe to use?"),
        # places
        ("What is the capital of Arrelia?", "Sundby", "How many people live there?",
         "How many people live in Sundby?"),
        ("What is the capital of Arrelia?", "Sundby", "And of Norland?",
         "What is the capital of Norland?"),
        ("How deep is Lake Orm?", "80 m", "And how long is it?", "How long is Lake Orm?"),
        ("How deep is Lake Orm?", "80 m", "How high is Mount Arrel?", "How high is Mount Arrel?"),
        ("Where do reed otters live?", "in the delta of the Orm", "How much do they weigh?",
         "How much do reed otters weigh?"),
        ("Where do reed otters live?", "in the delta of the Orm", "Why?",
         "Why do reed otters live in the delta of the Orm?"),
        ("When was the Sund bridge opened?", "1931", "By whom?",
         "By whom was the Sund bridge opened?"),
        ("When was the Sund bridge opened?", "1931", "Who built it that year?",
         "Who built the Sund bridge in 1931?"),
        ("Which languages are spoken in Norland?", ("Norn", "Sund"), "What else?",
         "Which other languages are spoken in Norland?"),
        ("How many people live in Sundby?", "9,000", "When is the festival?",
         "When is the festival of Sundby?"),
        ("Who is the mayor of Sundby?", "Ana Brandt", "And the deputy mayor?",
         "Who is the deputy mayor of Sundby?"),
    ],
)  # fmt: skip
def test_one_turn_later(
    asked: str, said: str | tuple[str, ...] | None, then: str, read: str
) -> None:
    assert read_as((asked, said), then=then) == read


@pytest.mark.parametrize(
    ("turns", "then", "read"),
    [
        ([("Who founded Caddo?", "Edvard Lunde"), ("When?", "1999")], "Where was he born?",
         "Where was Edvard Lunde born?"),
        ([("Who founded Caddo?", "Edvard Lunde"), ("When?", "1999")], "What does it cost?",
         "What does Caddo cost?"),
        ([("What is the default port?", "8080"), ("Why?", "it is free")], "And the default host?",
         "What is the default host?"),
        ([("What is the default port?", "8080"), ("And the default host?", "0.0.0.0")],
         "Can it be changed?", "Can the default host be changed?"),
        ([("What does the lint hook check?", "the style"), ("Which command starts it?", "go")],
         "How can I skip it?", "How can I skip the lint hook?"),
        ([("How high is Mount Arrel?", "900 m"), ("And Mount Tov?", "1,100 m")],
         "Who climbed it first?", "Who climbed Mount Tov first?"),
        ([("How high is Mount Arrel?", "900 m"), ("And Mount Tov?", "1,100 m")],
         "And Mount Sil?", "How high is Mount Sil?"),
        ([("Who founded Caddo?", "Edvard Lunde"), ("Who leads the Orm Project?", "Ana Brandt")],
         "When did she start?", "When did Ana Brandt start?"),
        ([("Who painted the Winter Door?", "Mira Tolland"), ("Who did she marry?", "Jon Asper")],
         "Where is her grave?", "Where is Mira Tolland's grave?"),
        ([("Where was Edvard Lunde born?", "Sundby"), ("How large is it?", "9,000 people")],
         "When did he move there?", "When did Edvard Lunde move to Sundby?"),
        ([("Must guests sign in?", "yes"), ("And contractors?", "yes")], "Why?",
         "Why must contractors sign in?"),
        ([("How many holidays do I get?", "25"), ("And in the first year?", "20")],
         "Can I carry them over?", "Can I carry the holidays over?"),
        ([("Which port does Caddo listen on?", "8080"), ("Can I change that?", "yes")], "How?",
         "How can I change the port of Caddo?"),
        ([("What is the boiling point of water?", "100 °C"), ("What about methanol?", "65 °C")],
         "Why is it lower?", "Why is the boiling point of methanol lower?"),
        ([("Does Caddo lock its files?", "no"), ("Why not?", "snapshots")], "What are those?",
         "What are snapshots?"),
        ([("When does the library open?", "at nine"), ("And close?", "at five")], "And on Sundays?",
         "When does the library close on Sundays?"),
        ([("What is the population of Norland?", "2 million"), ("And its capital?", "Sundby")],
         "How far is it from the sea?", "How far is Norland's capital from the sea?"),
        ([("Who was the first king of Norland?", "Harald II"), ("When did he die?", "1203")],
         "And his son?", "When did Harald II's son die?"),
        ([("Who is the treasurer?", "Owen Barton"), ("Since when?", "2019")],
         "Who was it before him?", "Who was the treasurer before Owen Barton?"),
        ([("Who runs the package?", "Ian Lance"), ("How can I reach him?", "by mail")],
         "What about the release manager?", "How can I reach the release manager?"),
        ([("What did Mira Tolland paint?", "the Winter Door"), ("Did she sell it?", "yes"),
          ("Which one?", None)],
         "And her brother?", "Did Mira Tolland's brother sell the Winter Door?"),
        ([("What is the default port?", "8080")], "Who decided that?",
         "Who decided that the default port is 8080?"),
    ],
)  # fmt: skip
def test_several_turns_later(
    turns: list[tuple[str, str | tuple[str, ...] | None]], then: str, read: str
) -> None:
    assert read_as(*turns, then=then) == read


@pytest.mark.parametrize(
    "question",
    [
        "How high is Carrow Fell above the sea?",
        "When did Ada Quill leave her ship?",
        "Who founded the Bank of Selmory when it was needed?",
        "What does the sweep command do when it fails?",
        "Is it possible to undo a merge?",
        "How many harbours are there in Norland?",
        "What is the default integer type?",
    ],
)
def test_a_question_of_its_own_is_read_as_asked(question: str) -> None:
    assert read_as(("Who founded Caddo?", "Edvard Lunde"), then=question) == question


def test_he_is_never_a_thing_and_it_never_a_person() -> None:
    assert read_as(("What is Visual Harbour?", "an editor"), then="Is he old?") == "Is he old?"
    assert read_as(("Who is Perrin Cobb?", "a pilot"), then="Is it old?") == "Is it old?"
    assert read_as(("Who runs it?", "DARPA"), then="Is he old?") == "Is he old?"


def test_the_title_is_what_is_meant_before_anything_was_said() -> None:
    assert (
        read_as(then="Where did she live?", title="Mira Tolland") == "Where did Mira Tolland live?"
    )
    assert read_as(then="Where did she live?", title="Caddo") == "Where did she live?"
    assert read_as(then="What does it cost?", title="Caddo") == "What does Caddo cost?"


def test_an_answer_that_was_none_is_not_meant() -> None:
    assert answer(None).kind is AnswerKind.NONE
    asked = ("Who wrote The Long Tide?", None)
    assert read_as(asked, then="When?") == "When was The Long Tide written?"
