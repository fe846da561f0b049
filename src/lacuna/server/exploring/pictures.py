"""Pictures among the blocks of a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lacuna.server.schemas.documents import BlockKind, BlockSchema, PictureSchema

HOLDS_PICTURES = (BlockKind.PARAGRAPH, BlockKind.ITEM)


def with_pictures(
    blocks: Sequence[BlockSchema], pictures: Iterable[PictureSchema]
) -> list[BlockSchema]:
    """The blocks with the pictures that stand in them, each of the others in a block of its own.

    Headings, code and tables show none: theirs come behind them.
    """
    placed: list[BlockSchema] = []
    waiting = sorted(pictures, key=lambda picture: picture.start)
    for block in blocks:
        while waiting and waiting[0].start < block.start:
            placed.append(_alone(waiting.pop(0), placed))
        placed.append(block)
        while waiting and waiting[0].start <= block.end:
            if block.kind in HOLDS_PICTURES:
                block.pictures.append(waiting.pop(0))
            else:
                placed.append(_alone(waiting.pop(0), placed))
    placed += (_alone(picture, placed) for picture in waiting)
    return placed


def _alone(picture: PictureSchema, before: Sequence[BlockSchema]) -> BlockSchema:
    """A paragraph without text; behind what belongs to an item, it belongs to it too."""
    at = before[-1].end if before else 0
    return BlockSchema(
        kind=BlockKind.PARAGRAPH,
        start=at,
        end=at,
        level=0,
        number=None,
        continues=bool(before and before[-1].continues),
        quoted=bool(before and before[-1].quoted),
        rows=[],
        pictures=[picture],
    )
