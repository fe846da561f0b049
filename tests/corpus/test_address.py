from pathlib import Path

import pytest

from lacuna.corpus.address import address_of, place_text
from lacuna.errors import LacunaError


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("s3://bucket/a/corpus", "s3://bucket/a/corpus"),
        ("S3://bucket/a/corpus/", "s3://bucket/a/corpus"),
        ("gs://bucket/corpus", "gs://bucket/corpus"),
        ("az://container/corpus", "az://container/corpus"),
        ("file:///disk/corpus", "file:///disk/corpus"),
    ],
)
def test_an_address_is_one_as_text_and_as_a_path(written: str, address: str) -> None:
    assert address_of(written) == address_of(Path(written)) == address
    assert place_text(Path(written)) == address


@pytest.mark.parametrize("written", ["corpus", "/disk/corpus", "./s3/x", "a:b/c", "C:/corpus", ""])
def test_a_path_is_no_address(written: str) -> None:
    assert address_of(written) is None


@pytest.mark.parametrize(
    "written",
    ["s3://AKIAME:hunter2@bucket/corpus", "s3://hunter2@bucket/c", "az://c/x?sig=hunter2"],
)
def test_credentials_in_an_address_are_refused_and_not_repeated(written: str) -> None:
    with pytest.raises(LacunaError, match="environment") as refused:
        address_of(Path(written))
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("written", ["http://host/corpus", "hdfs://host/corpus", "s3://"])
def test_other_addresses_are_refused(written: str) -> None:
    with pytest.raises(LacunaError, match=r"address|names no place"):
        address_of(written)
