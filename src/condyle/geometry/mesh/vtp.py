"""Surfaces of VTK's XML files for polygons (.vtp): text, base64 in place or appended, raw appended.

Written here because neither trimesh nor meshio reads them. Declarations of types and entities, with which a small
file could stand for a huge one, are refused.
"""

from __future__ import annotations

import base64
import re
import zlib
from typing import Any
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from condyle.geometry.mesh.mesh_error import MeshError

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_TYPES = {
    "Float32": "f4", "Float64": "f8", "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2",
    "Int32": "i4", "UInt32": "u4", "Int64": "i8", "UInt64": "u8",
}  # fmt: skip
# What a compressed array may grow to.
_LARGEST_ARRAY = 1_000_000_000
_APPENDED = re.compile(rb"<AppendedData[^>]*>\s*_", re.DOTALL)


class _Reading:
    """What is gathered while a file is walked through: attributes of the file, and arrays by their place in it."""

    def __init__(self) -> None:
        self.file: dict[str, str] = {}
        self.path: list[str] = []
        self.points: list[tuple[dict[str, str], list[str]]] = []
        self.polygons: dict[str, list[tuple[dict[str, str], list[str]]]] = {"connectivity": [], "offsets": []}
        self.encoding = "raw"
        self.text: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.path.append(tag)
        if len(self.path) > 32:
            raise MeshError("elements inside elements, more than 32 deep")
        if tag == "VTKFile":
            self.file = attributes
        elif tag == "AppendedData":
            self.encoding = attributes.get("encoding", "raw")
        elif tag == "DataArray":
            self.text = []
            name = attributes.get("Name", "")
            if self.path[-2] == "Points":
                self.points.append((attributes, self.text))
            elif self.path[-2] == "Polys" and name in self.polygons:
                self.polygons[name].append((attributes, self.text))

    def end(self, tag: str) -> None:
        self.path.pop()
        if tag == "DataArray":
            self.text = None

    def characters(self, text: str) -> None:
        # An array's range may stand inside it, in elements of its own.
        if self.text is not None and self.path[-1] == "DataArray":
            self.text.append(text)


def vtp_triangles(content: bytes) -> tuple[Array, Indices]:
    """Vertices and triangles of a .vtp file's content; polygons become fans, other pieces are left out."""
    content, appended = _parted(content)
    reading = _walked(content)
    if reading.file.get("type") != "PolyData":
        raise MeshError(f"a VTK file of type {reading.file.get('type')!r}, not of polygons (PolyData)")

    def array(entry: tuple[dict[str, str], list[str]]) -> NDArray[Any]:
        return _array(entry[0], "".join(entry[1]), reading, appended)

    vertices, triangles, first = [], [], 0
    pieces = (reading.points, reading.polygons["connectivity"], reading.polygons["offsets"])
    if not len(pieces[0]) == len(pieces[1]) == len(pieces[2]) > 0:
        raise MeshError("each piece needs points, and polygons with connectivity and offsets")
    for points, connectivity, offsets in zip(*pieces, strict=True):
        places = array(points).astype(np.float64).reshape(-1, 3)
        faces = _fans(array(connectivity).astype(np.int64), array(offsets).astype(np.int64))
        if len(faces) and not 0 <= faces.min() <= faces.max() < len(places):
            raise MeshError(f"polygons name points that are not there, 0 to {len(places) - 1} are")
        vertices.append(places)
        triangles.append(faces + first)
        first += len(places)
    return np.concatenate(vertices), np.concatenate(triangles)


def _parted(content: bytes) -> tuple[bytes, bytes]:
    """The XML, and what is appended to it: in raw form that is no XML."""
    mark = _APPENDED.search(content)
    if mark is None:
        return content, b""
    end = content.rfind(b"</AppendedData>")
    if end < mark.end():
        raise MeshError("the appended data do not end")
    return content[: mark.end()] + content[end:], content[mark.end() : end]


def _walked(content: bytes) -> _Reading:
    reading = _Reading()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.characters
    parser.StartDoctypeDeclHandler = _refused
    parser.EntityDeclHandler = _refused
    try:
        parser.Parse(content, True)  # noqa: FBT003 - expat names no arguments
    except expat.ExpatError as error:
        raise MeshError(f"the XML breaks off: {error}") from None
    return reading


def _refused(*_: object) -> None:
    raise MeshError("a type or entity declaration, which a VTK file has no use for")


def _array(attributes: dict[str, str], text: str, reading: _Reading, appended: bytes) -> NDArray[Any]:
    kind = _TYPES.get(attributes.get("type", ""))
    if kind is None:
        raise MeshError(f"an array of type {attributes.get('type')!r}; known are {', '.join(_TYPES)}")
    order = ">" if reading.file.get("byte_order") == "BigEndian" else "<"
    form = attributes.get("format", "ascii")
    if form == "ascii":
        return np.array(text.split(), dtype=np.float64 if kind[0] == "f" else np.int64)
    header = np.dtype(order + _TYPES.get(reading.file.get("header_type", "UInt32"), "u4"))
    compressed = "compressor" in reading.file
    if form == "binary":
        data = _decoded(text.encode("ascii", "replace"), header, compressed)
    elif form == "appended":
        data = appended[int(attributes.get("offset", "0")) :]
        if reading.encoding == "base64":
            data = _decoded(data, header, compressed)
    else:
        raise MeshError(f"an array in the format {form!r}; known are ascii, binary, appended")
    content = _inflated(data, header, reading.file["compressor"]) if compressed else _plain(data, header)
    return np.frombuffer(content, dtype=order + kind)


def _decoded(text: bytes, header: np.dtype[Any], compressed: bool) -> bytes:
    """Base64 text of a header followed by its data; after a compressed header a new text begins."""
    text = re.sub(rb"\s", b"", text)
    if not compressed:
        size = int(_numbers(base64.b64decode(text[:24] + b"=" * (-len(text[:24]) % 4)), header, 1)[0])
        return base64.b64decode(text[: -(-(header.itemsize + size) // 3) * 4])
    n_block = int(_numbers(base64.b64decode(text[:24]), header, 1)[0])
    first = -(-(3 + n_block) * header.itemsize // 3) * 4
    head = base64.b64decode(text[:first])
    size = int(_numbers(head, header, 3 + n_block)[3:].astype(np.int64).sum())
    return head + base64.b64decode(text[first : first - (-size // 3) * 4])


def _numbers(data: bytes, kind: np.dtype[Any], count: int) -> NDArray[Any]:
    if not 0 <= count * kind.itemsize <= len(data):
        raise MeshError("an array is shorter than its header says")
    return np.frombuffer(data, dtype=kind, count=count)


def _plain(data: bytes, header: np.dtype[Any]) -> bytes:
    size = int(_numbers(data, header, 1)[0])
    if size > len(data) - header.itemsize:
        raise MeshError(f"an array of {size} bytes breaks off")
    return data[header.itemsize : header.itemsize + size]


def _inflated(data: bytes, header: np.dtype[Any], compressor: str) -> bytes:
    """Blocks of zlib: how many, their full size, the last one's size, each one's compressed size, the blocks."""
    if compressor != "vtkZLibDataCompressor":
        raise MeshError(f"compressed by {compressor!r}; save it uncompressed, or with vtkZLibDataCompressor")
    n_block, full, last = (int(number) for number in _numbers(data, header, 3))
    sizes = _numbers(data, header, 3 + n_block)[3:].tolist()
    if n_block * full > _LARGEST_ARRAY:
        raise MeshError(f"an array of {n_block * full} bytes, {_LARGEST_ARRAY} at most are read")
    blocks, at = [], (3 + n_block) * header.itemsize
    for k, size in enumerate(sizes):
        length = last if k == n_block - 1 and last else full
        try:
            block = zlib.decompressobj().decompress(data[at : at + size], length + 1)
        except zlib.error as error:
            raise MeshError(f"a compressed array is damaged: {error}") from None
        if len(block) != length:
            raise MeshError("a compressed array is not as long as its header says")
        blocks.append(block)
        at += size
    return b"".join(blocks)


def _fans(connectivity: Indices, offsets: Indices) -> Indices:
    """Triangles of polygons: `offsets` says where each ends in `connectivity`."""
    begin = np.concatenate([[0], offsets[:-1]])
    size = offsets - begin
    if len(offsets) == 0:
        return np.zeros((0, 3), dtype=np.int64)
    if size.min() < 0 or offsets[-1] > len(connectivity):
        raise MeshError("the polygons' offsets do not rise, or go beyond their connectivity")
    count = np.maximum(size - 2, 0)
    start = np.repeat(begin, count)
    step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return connectivity[np.stack([start, start + step + 1, start + step + 2], axis=1)]
