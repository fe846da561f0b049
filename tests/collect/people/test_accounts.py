"""Accounts: invitations, passwords, guessing, cookies and blocking."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher
from set_clock import SetClock

from lacuna_collect.database.engine import CollectDatabase
from lacuna_collect.people.accounts import (
    MINUTES,
    PER_ADDRESS,
    PER_NAME,
    Accounts,
    CollectRole,
    Passwords,
)
from lacuna_collect.refused import RefusedError

PASSWORD = "a long enough one"


@pytest.fixture
def accounts(database: CollectDatabase) -> Accounts:
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    return Accounts(database, Passwords(cheap))


def code_of(error: pytest.ExceptionInfo[RefusedError]) -> str:
    return error.value.code


def test_register_log_in_and_out(accounts: Accounts) -> None:
    code = accounts.invitations.invite(CollectRole.REVIEWER)
    session = accounts.register(code, "Ada", PASSWORD)
    assert session.person.role is CollectRole.REVIEWER
    again = accounts.log_in(" ADA ", PASSWORD, "1.2.3.4")
    assert again.token != session.token
    assert accounts.sessions.of(again.token) == again
    assert again.has_csrf(again.csrf)
    assert not again.has_csrf(session.csrf)
    assert not again.has_csrf("\ud800")
    accounts.sessions.log_out(again.token)
    assert accounts.sessions.of(again.token) is None
    assert accounts.sessions.of(session.token) == session
    assert accounts.sessions.of("\ud800") is None


def test_secrets_are_not_in_the_database(accounts: Accounts, database: CollectDatabase) -> None:
    from sqlalchemy import select

    from lacuna_collect.database.tables import METADATA

    code = accounts.invitations.invite()
    session = accounts.register(code, "Ada", PASSWORD)
    with database.read() as transaction:
        rows = [
            repr(tuple(row))
            for table in METADATA.sorted_tables
            for row in transaction.execute(select(table))
        ]
    assert any("argon2id" in row for row in rows)
    for secret in (code, PASSWORD, session.token, session.csrf):
        assert not [row for row in rows if secret in row]


def test_an_invitation_is_used_once(accounts: Accounts, time_set: SetClock) -> None:
    code = accounts.invitations.invite(days=1)

    def register(number: int) -> str:
        try:
            accounts.register(code, f"name {number}", PASSWORD)
        except RefusedError as error:
            return error.code
        return "in"

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(register, range(4))) == ["in", *["no-invitation"] * 3]
    old = accounts.invitations.invite(days=1)
    time_set.pass_minutes(24 * 60 + 1)
    for wrong in (old, "nonsense", ""):
        with pytest.raises(RefusedError) as error:
            accounts.register(wrong, "Ben", PASSWORD)
        assert code_of(error) == "no-invitation"
    assert accounts.invitations.pending() == []


def test_names_that_look_the_same_are_taken(accounts: Accounts) -> None:
    code = accounts.invitations.invite(uses=5)
    accounts.register(code, "Ada", PASSWORD)
    for name in ("ada", "ＡＤＡ", " Ada "):
        with pytest.raises(RefusedError) as error:
            accounts.register(code, name, PASSWORD)
        assert code_of(error) == "name-taken"
    assert accounts.invitations.look_at(code).uses_left == 4


def test_bad_names_and_passwords(accounts: Accounts) -> None:
    code = accounts.invitations.invite()
    for name, password in (
        ("", PASSWORD),
        ("x" * 61, PASSWORD),
        ("a\0b", PASSWORD),
        ("a", "short"),
    ):
        with pytest.raises(RefusedError):
            accounts.register(code, name, password)
    assert accounts.invitations.look_at(code).uses_left == 1


def test_guessing_is_limited_by_name(accounts: Accounts, time_set: SetClock) -> None:
    accounts.register(accounts.invitations.invite(), "Ada", PASSWORD)
    for number in range(PER_NAME):
        with pytest.raises(RefusedError) as error:
            accounts.log_in("Ada", "wrong password", f"10.0.0.{number}")
        assert code_of(error) == "wrong-login"
    with pytest.raises(RefusedError) as error:
        accounts.log_in("Ada", PASSWORD, "10.0.1.1")
    assert code_of(error) == "too-many-attempts"
    time_set.pass_minutes(MINUTES + 1)
    accounts.log_in("Ada", PASSWORD, "10.0.1.1")


def test_guessing_is_limited_by_address(accounts: Accounts) -> None:
    accounts.register(accounts.invitations.invite(), "Ada", PASSWORD)
    for number in range(PER_ADDRESS):
        with pytest.raises(RefusedError):
            accounts.log_in(f"somebody {number}", "wrong password", "10.0.0.1")
    with pytest.raises(RefusedError) as error:
        accounts.log_in("Ada", PASSWORD, "10.0.0.1")
    assert code_of(error) == "too-many-attempts"
    accounts.log_in("Ada", PASSWORD, "10.0.0.2")


def test_new_password_ends_other_log_ins(accounts: Accounts) -> None:
    session = accounts.register(accounts.invitations.invite(), "Ada", PASSWORD)
    person = session.person.id
    with pytest.raises(RefusedError):
        accounts.change_password(person, "wrong", "another long one", "1.1.1.1")
    with pytest.raises(RefusedError) as error:
        accounts.change_password(person, PASSWORD, "short", "1.1.1.1")
    assert code_of(error) == "bad-password"
    assert accounts.sessions.of(session.token) == session
    new = accounts.change_password(person, PASSWORD, "another long one", "1.1.1.1")
    assert accounts.sessions.of(session.token) is None
    assert accounts.sessions.of(new.token) == new
    accounts.log_in("Ada", "another long one", "1.1.1.1")
    with pytest.raises(RefusedError):
        accounts.log_in("Ada", PASSWORD, "1.1.1.1")


def test_a_password_is_not_guessed_through_its_change(accounts: Accounts) -> None:
    session = accounts.register(accounts.invitations.invite(), "Ada", PASSWORD)
    for _ in range(PER_NAME):
        with pytest.raises(RefusedError) as error:
            accounts.change_password(session.person.id, "wrong", "another long one", "1.1.1.1")
        assert code_of(error) == "wrong-login"
    with pytest.raises(RefusedError) as error:
        accounts.change_password(session.person.id, PASSWORD, "another long one", "1.1.1.1")
    assert code_of(error) == "too-many-attempts"


def test_a_forgotten_password_is_reset(accounts: Accounts) -> None:
    session = accounts.register(accounts.invitations.invite(), "Ada", PASSWORD)
    new = accounts.reset_password(session.person.id)
    assert accounts.sessions.of(session.token) is None
    assert accounts.log_in("Ada", new, "1.1.1.1").person == session.person
    with pytest.raises(RefusedError):
        accounts.log_in("Ada", PASSWORD, "1.1.1.1")
    with pytest.raises(RefusedError) as error:
        accounts.reset_password(999)
    assert code_of(error) == "no-such-person"


def test_a_new_role_ends_log_ins_and_one_requester_stays(accounts: Accounts) -> None:
    rita = accounts.register(accounts.invitations.invite(CollectRole.REQUESTER), "Rita", PASSWORD)
    ada = accounts.register(accounts.invitations.invite(), "Ada", PASSWORD)
    with pytest.raises(RefusedError) as error:
        accounts.set_role(rita.person.id, CollectRole.WORKER)
    assert code_of(error) == "last-requester"
    assert accounts.sessions.of(rita.token) == rita
    accounts.set_role(ada.person.id, CollectRole.REQUESTER, by=rita.person.id)
    assert accounts.sessions.of(ada.token) is None
    accounts.set_role(rita.person.id, CollectRole.WORKER, by=ada.person.id)
    assert accounts.named(" rita").role is CollectRole.WORKER
    accounts.set_role(rita.person.id, CollectRole.REQUESTER)

    def step_down(person: int) -> str:
        try:
            accounts.set_role(person, CollectRole.WORKER)
        except RefusedError as refused:
            return refused.code
        return "done"

    with ThreadPoolExecutor(2) as pool:  # both at once would leave nobody
        told = sorted(pool.map(step_down, (rita.person.id, ada.person.id)))
    assert told == ["done", "last-requester"]


def test_blocked_people_can_read_why(accounts: Accounts) -> None:
    session = accounts.register(accounts.invitations.invite(), "Ada", PASSWORD)
    accounts.block(session.person.id, "Spam.")
    found = accounts.sessions.of(session.token)
    assert found is not None
    assert found.person.blocked_reason == "Spam."
    accounts.set_role(session.person.id, CollectRole.REVIEWER)
    assert [person.role for person in accounts.people()] == [CollectRole.REVIEWER]


def test_roles_include_those_below() -> None:
    assert CollectRole.REQUESTER.may(CollectRole.WORKER)
    assert not CollectRole.WORKER.may(CollectRole.REVIEWER)
