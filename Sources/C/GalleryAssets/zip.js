/**
 * Writes ZIP files with stored entries: stickers are already compressed. PKWARE's APPNOTE 6.3.10, sections 4.3 and 4.4,
 * without ZIP64.
 */
class Zip {
  static maxEntries = 0xffff;
  static maxBytes = 0xffffffff;

  static table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });

  constructor() {
    this.parts = [];
    this.directory = [];
    this.size = 0;
  }

  static crc32(bytes) {
    let crc = ~0;
    for (let index = 0; index < bytes.length; index += 1) crc = Zip.table[(crc ^ bytes[index]) & 0xff] ^ (crc >>> 8);
    return ~crc >>> 0;
  }

  /** Puts the file's bytes into a blob at once, which the browser may keep on disk. */
  add(name, bytes, date) {
    const encoded = new TextEncoder().encode(name);
    const common = Zip.record(
      [20, 2], // version needed
      [0x0800, 2], // names are UTF-8
      [0, 2], // stored
      [Zip.time(date), 4],
      [Zip.crc32(bytes), 4],
      [bytes.length, 4],
      [bytes.length, 4],
      [encoded.length, 2],
      [0, 2], // no extra field
    );
    this.directory.push(
      Zip.record([0x02014b50, 4], [20, 2]), common, Zip.record([0, 2], [0, 2], [0, 2], [0, 4], [this.size, 4]), encoded);
    const head = Zip.record([0x04034b50, 4]);
    this.parts.push(new Blob([head, common, encoded, bytes]));
    this.size += head.length + common.length + encoded.length + bytes.length;
  }

  blob() {
    const count = this.parts.length;
    const directory = new Blob(this.directory);
    const end = Zip.record(
      [0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [directory.size, 4], [this.size, 4], [0, 2]);
    if (count > Zip.maxEntries || this.size + directory.size > Zip.maxBytes) throw new RangeError('The selection is too large for a ZIP');
    return new Blob([...this.parts, directory, end], { type: 'application/zip' });
  }

  /** Little-endian fields, each [value, bytes]. */
  static record(...fields) {
    const bytes = new Uint8Array(fields.reduce((sum, [, width]) => sum + width, 0));
    const view = new DataView(bytes.buffer);
    let offset = 0;
    for (const [value, width] of fields) {
      if (width === 2) view.setUint16(offset, value, true);
      else view.setUint32(offset, value, true);
      offset += width;
    }
    return bytes;
  }

  /** MS-DOS time in the low bits, date above, in the reader's time zone: the format has no other. */
  static time(date) {
    if (Number.isNaN(date.getTime()) || date.getFullYear() < 1980) return (1 << 21) | (1 << 16);
    const day = ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
    return ((day << 16) | (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)) >>> 0;
  }
}
