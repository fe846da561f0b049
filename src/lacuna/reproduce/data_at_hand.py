"""Where the files are that tables are made from: a data folder, or the demo."""

from __future__ import annotations

from pathlib import Path

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.files.cache import cached_folder, digest_of
from lacuna.reproduce.source import CorpusSource, FilePart, MixedSource, NotHere, Source
from lacuna.train.data.data_folder import DataFile

TRIPLES = DataFile("conceptnet", ("conceptnet/triples.tsv",), official=False)
SEED = 1
"""Of what is mixed in."""
SENTENCES = DataFile("science", ("science/sentences.tsv",), official=False)


class DataAtHand:
    """The files of a data folder; ``quick`` takes the demo's instead.

    What has to be made of them first (a part of a file, a knowledge base) goes into ``cache``.
    """

    def __init__(self, folder: Path | None, cache: Path, *, quick: bool) -> None:
        if folder is not None and not folder.is_dir():
            raise LacunaError(f"{folder} is no folder. Give the one with the datasets as --data.")
        self.quick = quick
        self._folder, self._cache = folder, cache
        self._names: dict[str, str] = {}

    def path(self, source: Source) -> Path:
        """The file, or the part of it that is meant."""
        path = self._path(source)
        self._names[str(path)] = self.shown(source)
        return path

    def with_shown_names(self, text: str) -> str:
        """A message with the names of files as pages have them."""
        for path, name in self._names.items():
            text = text.replace(path, name)
        return text

    def _path(self, source: Source) -> Path:
        if isinstance(source, MixedSource):
            return self._mixed(source)
        if self.quick:
            if source.quick is None:
                raise NotHere(f"the demo has nothing like {source.name}")
            path, part = source.quick, source.quick_part
        else:
            path, part = self._find(source.file), source.part
        return path if part is None else self._part(source.dataset, path, part)

    def shown(self, source: Source) -> str:
        """What a page calls a file."""
        if isinstance(source, MixedSource):
            return source.name
        if self.quick and source.quick is not None:
            part = f" ({source.quick_part.name})" if source.quick_part else ""
            return f"the demo's {source.quick.name}{part}"
        part = f" ({source.part.name})" if source.part else ""
        path = self._find(source.file)
        return f"{path.relative_to(self._folder) if self._folder else path}{part}"

    def corpus(self, source: CorpusSource) -> list[Path]:
        """The places that a corpus is made of."""
        return [source.quick] if self.quick else [self._find(file) for file in source.files]

    def knowledge(self) -> Path | None:
        """A knowledge base of the triples and sentences at hand; None is the demo's."""
        if self.quick:
            return None
        from lacuna.retrieve.knowledge import build_base

        files = [self._find(file) for file in (TRIPLES, SENTENCES)]
        place = self._cache / "knowledge" / digest_of("\n".join(map(state_of, files)))
        if not place.is_dir():

            def build(folder: Path) -> None:
                build_base(files, folder)

            cached_folder(place, build, is_whole=Path.is_dir, what="the knowledge base")
        return place

    def _find(self, file: DataFile) -> Path:
        if self._folder is None:
            raise NotHere(
                f"{file.names[0]} is looked for in the folder of --data, and none is given"
            )
        if (path := file.find_optional(self._folder)) is None:
            fetched = f"; `lacuna data fetch {file.dataset}` gets it" if file.official else ""
            raise NotHere(f"the data folder has no {file.names[0]}{fetched}")
        return path

    def _mixed(self, source: MixedSource) -> Path:
        from lacuna.corpus.open import open_store
        from lacuna.reproduce.combined.mixing import mix

        assert source.titles is not None
        own = self.path(source.plain)
        added = {other.dataset: self.path(other) for other in source.added}
        corpus = self.corpus(source.titles)
        states = [state_of(path) for path in (own, *added.values(), *corpus)]
        place = self._cache / "parts" / f"mixed-{digest_of(' '.join(states))}.json"
        if not place.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            with open_store(corpus) as store:
                mix(own, added, store.known, place, seed=SEED)
        return place

    def _part(self, dataset: str, path: Path, part: FilePart) -> Path:
        name = f"{dataset}-{digest_of(f'{state_of(path)} {part.name}')}.json"
        place = self._cache / "parts" / name
        if not place.is_file():
            source = get_dataset(dataset)
            with source.open(path) as reader:
                kept = [item for number, item in enumerate(reader) if part.keeps(number, item)]
                if not kept:
                    raise NotHere(f"{path.name} has nothing of {part.name}")
                place.parent.mkdir(parents=True, exist_ok=True)
                form, shape = reader.form, reader.shape
                source.write(place, kept, form=form, shape=shape, header=reader.header)
        return place


def state_of(path: Path) -> str:
    """Changes with a file; a folder's is that of its newest file."""
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    stats = [file.stat() for file in files]
    size, newest = sum(one.st_size for one in stats), max(one.st_mtime_ns for one in stats)
    return f"{path.resolve()} {size} {newest}"
