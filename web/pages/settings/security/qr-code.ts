/**
 * A QR code of a text (ISO/IEC 18004, bytes, error correction M): rows of dark and light modules. Made in the browser, because the secret
 * in it goes nowhere else. Null: the text is too long for a picture that a phone reads from a screen.
 */
export function qrModules(text: string): readonly (readonly boolean[])[] | null {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, at) => at > 0 && bytes.length <= capacityOf(at));
  if (version === -1) return null;
  const grid = new Grid(version);
  grid.place(interleave(version, dataWords(version, bytes)));
  return grid.withBestMask();
}

/** By version from 1: how many blocks the words are split into, and how many of a block's words correct the others. */
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const CORRECTION = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];

function at<T>(list: ArrayLike<T>, index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`${index} is outside`);
  return found;
}

/** Words of data and correction together. */
function wordsIn(version: number): number {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const modules =
    (16 * version + 128) * version +
    64 -
    (version === 1 ? 0 : (25 * alignments - 10) * alignments - 55) -
    (version >= 7 ? 36 : 0);
  return Math.floor(modules / 8);
}

function dataWordsIn(version: number): number {
  return wordsIn(version) - at(BLOCKS, version) * at(CORRECTION, version);
}

/** In bytes of text: before them stand the mode and their number. */
function capacityOf(version: number): number {
  return dataWordsIn(version) - (version < 10 ? 2 : 3);
}

function dataWords(version: number, bytes: Uint8Array): number[] {
  const bits: number[] = [];
  const add = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  add(0b0100, 4);
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  const room = dataWordsIn(version) * 8;
  add(0, Math.min(4, room - bits.length));
  add(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) add(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, word) =>
    bits.slice(word * 8, word * 8 + 8).reduce((value, bit) => (value << 1) | bit, 0),
  );
}

/** A product in the field of 256 elements that the words are elements of. */
function multiply(x: number, y: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((y >>> bit) & 1) * x;
  }
  return product;
}

function divisorOf(degree: number): number[] {
  const divisor = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let index = 0; index < degree; index += 1) {
      divisor[index] = multiply(at(divisor, index), root) ^ (divisor[index + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  return divisor;
}

function correctionOf(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ (rest.shift() ?? 0);
    rest.push(0);
    divisor.forEach((part, index) => {
      rest[index] = at(rest, index) ^ multiply(part, factor);
    });
  }
  return rest;
}

/** Each block gets its correction; then the words of all blocks take turns, so that a stain harms each a little. */
function interleave(version: number, data: readonly number[]): number[] {
  const count = at(BLOCKS, version);
  const divisor = divisorOf(at(CORRECTION, version));
  const short = Math.floor(data.length / count);
  const firstLong = count - (data.length % count);
  let from = 0;
  const blocks = Array.from({ length: count }, (_, block) => {
    const words = data.slice(from, from + short + (block < firstLong ? 0 : 1));
    from += words.length;
    return { words, correction: correctionOf(words, divisor) };
  });
  const turns = (length: number, wordOf: (block: number, turn: number) => number | undefined): number[] =>
    Array.from({ length }, (_, turn) => blocks.flatMap((_block, block) => wordOf(block, turn) ?? [])).flat();
  return [
    ...turns(short + 1, (block, turn) => blocks[block]?.words[turn]),
    ...turns(divisor.length, (block, turn) => blocks[block]?.correction[turn]),
  ];
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Grid {
  readonly #version: number;
  readonly #size: number;
  readonly #dark: boolean[][];
  /** Modules that say how to read the rest: no data, and no mask. */
  readonly #fixed: boolean[][];

  constructor(version: number) {
    this.#version = version;
    this.#size = 17 + 4 * version;
    const empty = () => Array.from({ length: this.#size }, () => Array<boolean>(this.#size).fill(false));
    this.#dark = empty();
    this.#fixed = empty();
    this.#drawPatterns();
  }

  #set(x: number, y: number, isDark: boolean): void {
    const row = this.#dark[y];
    const fixed = this.#fixed[y];
    if (row?.[x] === undefined || !fixed) return;
    row[x] = isDark;
    fixed[x] = true;
  }

  #drawPatterns(): void {
    const last = this.#size - 1;
    for (let along = 0; along < this.#size; along += 1) {
      this.#set(6, along, along % 2 === 0);
      this.#set(along, 6, along % 2 === 0);
    }
    for (const [x, y] of [
      [3, 3],
      [last - 3, 3],
      [3, last - 3],
    ] as const)
      this.#drawRings(x, y, 4);
    const places = this.#alignments();
    const end = places.length - 1;
    places.forEach((y, row) => {
      places.forEach((x, column) => {
        const isFinder = (row === 0 && (column === 0 || column === end)) || (row === end && column === 0);
        if (!isFinder) this.#drawRings(x, y, 2);
      });
    });
    this.#drawFormat(0);
    this.#drawVersion();
  }

  #drawRings(centerX: number, centerY: number, radius: number): void {
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        this.#set(centerX + dx, centerY + dy, radius === 4 ? ring !== 2 && ring !== 4 : ring !== 1);
      }
    }
  }

  #alignments(): number[] {
    if (this.#version === 1) return [];
    const count = Math.floor(this.#version / 7) + 2;
    const step = Math.floor((this.#version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
    return [6, ...Array.from({ length: count - 1 }, (_, index) => this.#size - 7 - step * (count - 2 - index))];
  }

  /** Error correction M is 00. */
  #drawFormat(mask: number): void {
    let rest = mask;
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (index: number): boolean => ((bits >>> index) & 1) !== 0;
    for (let index = 0; index <= 5; index += 1) this.#set(8, index, bit(index));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let index = 9; index < 15; index += 1) this.#set(14 - index, 8, bit(index));
    for (let index = 0; index < 8; index += 1) this.#set(this.#size - 1 - index, 8, bit(index));
    for (let index = 8; index < 15; index += 1) this.#set(8, this.#size - 15 + index, bit(index));
    this.#set(8, this.#size - 8, true);
  }

  #drawVersion(): void {
    if (this.#version < 7) return;
    let rest = this.#version;
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (this.#version << 12) | rest;
    for (let index = 0; index < 18; index += 1) {
      const isDark = ((bits >>> index) & 1) !== 0;
      const across = this.#size - 11 + (index % 3);
      const along = Math.floor(index / 3);
      this.#set(across, along, isDark);
      this.#set(along, across, isDark);
    }
  }

  /** Up and down in columns of two, from the right, around what is fixed. */
  place(words: readonly number[]): void {
    const bits = words.flatMap((word) => Array.from({ length: 8 }, (_, bit) => ((word >>> (7 - bit)) & 1) !== 0));
    let next = 0;
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      const isUpward = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.#size; step += 1) {
        const y = isUpward ? this.#size - 1 - step : step;
        for (const x of [right, right - 1]) {
          const row = this.#dark[y];
          if (row && !this.#fixed[y]?.[x]) row[x] = bits[next++] ?? false;
        }
      }
    }
  }

  withBestMask(): readonly (readonly boolean[])[] {
    const drawn = MASKS.map((isFlipped, mask) => {
      this.#drawFormat(mask);
      return this.#dark.map((row, y) => row.map((dark, x) => dark !== (!this.#fixed[y]?.[x] && isFlipped(x, y))));
    });
    return drawn.reduce((best, rows) => (penaltyOf(rows) < penaltyOf(best) ? rows : best));
  }
}

/** How hard a picture is to read: long runs of one colour, blocks, what looks like a corner, and too much of one colour. */
function penaltyOf(rows: readonly (readonly boolean[])[]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x] === true));
  let penalty = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map((dark) => (dark ? '1' : '0')).join('');
    for (const [run] of text.matchAll(/1{5,}|0{5,}/g)) penalty += run.length - 2;
    for (const corner of ['10111010000', '00001011101']) penalty += 40 * (`${text}`.split(corner).length - 1);
  }
  rows.forEach((row, y) => {
    row.forEach((dark, x) => {
      const below = rows[y + 1];
      if (below && x + 1 < row.length && [row[x + 1], below[x], below[x + 1]].every((other) => other === dark))
        penalty += 3;
    });
  });
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2;
  return penalty + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
