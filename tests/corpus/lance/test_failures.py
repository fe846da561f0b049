import pytest

from lacuna.errors import AddressError
from lacuna_scale.lance.tables import telling_failures, without_secrets

PLACE = "s3://bucket/corpus"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Server returned 403 Forbidden: <Code>ExpiredToken</Code>", "expired"),
        ("403 Forbidden: <Code>RequestTimeTooSkewed</Code>", "the clock of this machine"),
        ("403: Request date header too old", "the clock of this machine"),
        ("Generic S3 error: InvalidAccessKeyId", "refuses the credentials"),
        ("status 507 Insufficient Storage", "no room"),
        ("No space left on device (os error 28)", "no room"),
        ("error sending request: operation timed out", "does not answer"),
        ("NoSuchBucket: The specified bucket does not exist", "no such bucket"),
        ("Generic S3 error: Failed to resolve region for bucket 'bucket'", "Set AWS_REGION"),
        ("performing GET http://127.0.0.1:9/b in 25µs - HTTP error: builder error", "without TLS"),
        ("something that nobody foresaw", "something that nobody foresaw"),
    ],
)
def test_what_a_store_says_is_told_in_one_paragraph(said: str, told: str) -> None:
    with pytest.raises(AddressError, match=told) as error, telling_failures(PLACE, "written"):
        raise OSError(f"{said}, /home/build/rust/lance/src/io/commit.rs:10:9\nmore of it")
    assert PLACE in str(error.value)
    assert "\n" not in str(error.value)
    assert ".rs:" not in str(error.value)


@pytest.mark.parametrize(
    "said",
    [
        "LanceError(IO): odd, /home/build/rust/lance/src/dataset.rs:403:17",
        "odd: quota-rules/timeout-connect/documents.lance",
        "odd: s3://quota-rules/timeout-connect",
    ],
)
def test_names_of_places_are_not_taken_for_what_was_said(said: str) -> None:
    with (
        pytest.raises(AddressError, match="cannot be read: ") as error,
        telling_failures("s3://quota-rules/timeout-connect"),
    ):
        raise OSError(said)
    for words in ("credentials", "no room", "does not answer"):
        assert words not in str(error.value)


def test_no_secret_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter2hunter2")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", "swordfish")
    said = "with hunter2hunter2 at https://me:pass@host/b?X-Amz-Signature=abc and swordfish"
    assert without_secrets(said) == "with … at https://…@host/b and …"
