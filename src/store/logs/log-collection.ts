import type { Page, PageRequest } from "../../domain/page.ts";
import { type Pace, type Steps, stepLength } from "../../lib/yield.ts";
import { corruptionError } from "../corruption.ts";
import { type Disk, type DiskFile, writeFullyLater } from "../disk.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { checksumOf } from "../journal/journal-line.ts";
import { replaceFileLater } from "../segments/checked-json.ts";
import { idsPerSegment, type Segment, segmentNumberOf } from "../segments/segment.ts";
import { type SegmentWriterOptions, segmentFileName, segmentNumbersIn } from "../segments/segment-file.ts";
import { Segments } from "../segments/segments.ts";
import type { StoredCollection } from "../stored-collection.ts";
import type { LogDeclaration } from "./declaration.ts";
import { LogIndex } from "./log-index.ts";
import { latestOf, queryLog } from "./log-query.ts";
import {
  decodeSideIndex,
  encodeSideIndex,
  readSideIndex,
  type SealedSegment,
  type SideIndex,
  segmentNumberOfSideIndex,
  sideIndexName,
} from "./side-index.ts";

/** Selects entries that have all the keys and lie between the bounds, inclusive. The order is that of the ids. */
export interface LogQuery {
  readonly keys: readonly string[];
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly descending: boolean;
  readonly page: PageRequest;
}

/** The read access to a log. */
export interface LogDocuments<T extends StoredDocument> {
  readonly size: number;
  /** The path of the folder with the log's files. */
  readonly folder: string;
  /** Returns an entry. Reads the disk for all but the newest ones. Throws `corruptionError` rather than return a wrong one. */
  get(id: number): T | undefined;
  page(query: LogQuery): Page<T>;
  /** Returns one offset page of the entries with a key, the latest first. Only for logs with `hasTimeOrder`. */
  latest(key: string, page: PageRequest): Page<T>;
  /** Entries with a smaller id were dropped (`Store.dropBelow`). Their ids are never used again. */
  readonly droppedBelow: number;
}

/**
 * A collection whose full segments are sealed: they stay on disk, and their side index has the offset and checksum of each
 * line. Ids come from a sequence, mostly in order. A segment is full once all of its ids exist.
 */
export class LogCollection<T extends StoredDocument = StoredDocument> implements StoredCollection<T>, LogDocuments<T> {
  readonly name: string;
  readonly index: LogIndex<T>;
  readonly #disk: Disk;
  readonly #isReadOnly: boolean;
  readonly #hasGaps: boolean;
  readonly #keepsOpen: boolean;
  readonly #segments: Segments<T>;
  readonly #sealed = new Map<number, SealedSegment>();
  /** Side indexes that the start found without their segments. */
  #strays: readonly number[] = [];
  /** Ids begin with 1. */
  #droppedBelow = 1;
  changedAt = 0;

  constructor(declared: LogDeclaration<T>, logsFolder: string, writer: SegmentWriterOptions) {
    this.name = declared.name;
    this.#disk = writer.disk;
    this.#isReadOnly = writer.isReadOnly === true;
    this.#keepsOpen = writer.keepsLogsOpen === true;
    this.#hasGaps = declared.hasGaps === true;
    this.#segments = new Segments(declared.name, `${logsFolder}/${declared.name}`, writer);
    this.index = new LogIndex(declared);
  }

  get folder(): string {
    return this.#segments.folder;
  }

  get size(): number {
    return this.index.size;
  }

  get(id: number): T | undefined {
    if (id < this.#droppedBelow) return undefined;
    const sealed = this.#sealed.get(segmentNumberOf(id));
    return sealed === undefined ? this.#segments.get(id) : this.#readSealed(sealed, id);
  }

  peek(id: number): T | undefined {
    return this.get(id);
  }

  page(query: LogQuery): Page<T> {
    return queryLog(this, this.index, query);
  }

  latest(key: string, page: PageRequest): Page<T> {
    return latestOf(this, this.index, key, page);
  }

  get droppedBelow(): number {
    return this.#droppedBelow;
  }

  /** Yields every entry that was not dropped, in the order of the ids. Reads most of them from disk. */
  *[Symbol.iterator](): Generator<T> {
    const numbers = [...this.#sealed.keys(), ...[...this.#segments].map(({ number }) => number)];
    for (const number of numbers.sort((a, b) => a - b)) {
      for (let id = number * idsPerSegment; id < (number + 1) * idsPerSegment; id += 1) {
        const entry = this.get(id);
        if (entry !== undefined) yield entry;
      }
    }
  }

  put(id: number, document: T | undefined): T | undefined {
    if (id < this.#droppedBelow) throw new Error(`${this.name}: ${id} was dropped`);
    const before = this.#segments.get(id);
    if (this.#sealed.has(segmentNumberOf(id)) || (document !== undefined && before !== undefined)) {
      throw new Error(`${this.name}: ${id} is written and cannot be changed`);
    }
    if (before !== undefined) this.index.remove(before);
    if (document !== undefined) this.index.add(document);
    this.#segments.set(id, document);
    return before;
  }

  putUnindexed(id: number, document: T | undefined): void {
    this.#segments.set(id, document);
  }

  markDirty(id: number, sequence: number): void {
    this.changedAt = sequence;
    this.#segments.markDirty(id, sequence);
  }

  savedSequenceOf(id: number): number {
    return this.#sealed.get(segmentNumberOf(id))?.savedSequence ?? this.#segments.savedSequenceOf(id);
  }

  latestSavedSequence(): number {
    let latest = this.#segments.latestSavedSequence();
    for (const { savedSequence } of this.#sealed.values()) latest = Math.max(latest, savedSequence);
    return latest;
  }

  fileNames(): string[] {
    return this.#segments.fileNames();
  }

  async load(names: readonly string[], pace: Pace): Promise<void> {
    const numbers = new Set(segmentNumbersIn(names));
    this.#strays = names
      .map(segmentNumberOfSideIndex)
      .filter((number) => number !== undefined)
      .filter((number) => !numbers.has(number));
    for (const number of numbers) {
      const sealed = readSideIndex(this.#disk, this.folder, number);
      if (sealed === undefined) this.#sealLater(await this.#segments.load(number));
      else this.#addSealed(sealed.keysVersion === this.index.keysVersion ? sealed : await this.#makeAgain(number));
      await pace();
    }
  }

  #addSealed(sealed: SideIndex): void {
    this.#sealed.set(sealed.segment.number, sealed.segment);
    this.index.addSealed(sealed);
  }

  /** Rebuilds the side index of a sealed segment with the current keys. Only one segment at a time is in memory. */
  async #makeAgain(number: number): Promise<SideIndex> {
    const bytes = this.#encode(await this.#segments.load(number));
    this.#segments.forget(number);
    if (this.#isReadOnly) return decodeSideIndex(this.#disk, this.folder, number, bytes);
    await this.#writeSideIndex(number, bytes);
    return this.#written(number);
  }

  /** Writes a full segment again, to seal it: an interrupted write left it without a side index. */
  #sealLater(segment: Segment<T>): void {
    if (!this.#keepsOpen && isFull(segment)) segment.markDirty(segment.savedSequence);
  }

  *buildIndexes(): Steps {
    yield* this.index.orderSealed();
    const open = [...this.#segments].sort((a, b) => a.number - b.number);
    for (const segment of open) {
      for (const document of segment) if (document.id >= this.#droppedBelow) this.index.add(document);
      yield;
    }
  }

  get indexSteps(): number {
    return Math.ceil(this.size / stepLength);
  }

  /** Hides all entries below `id`. Call it before indexes are built, or once the watermark is in the journal's queue. */
  dropBelow(id: number): void {
    this.#droppedBelow = Math.max(this.#droppedBelow, id);
    this.index.dropBelow(this.#droppedBelow);
  }

  /** True when entries were ever dropped, which is rare. */
  get hasDropped(): boolean {
    return this.#droppedBelow > 1;
  }

  /** Frees the index memory of dropped entries. Returns false when `pace` ended it early. */
  sweepIndex(pace: Pace): Promise<boolean> {
    return this.index.sweep(pace);
  }

  /** Removes whole segments from memory and disk. The watermark must be on disk, and no segment may be written. */
  async removeSegmentsBelow(id: number, pace: Pace): Promise<void> {
    const isGone = (number: number) => number < segmentNumberOf(id);
    const open = [...this.#segments].map(({ number }) => number);
    const numbers = [...this.#strays, ...this.#sealed.keys(), ...open].filter(isGone);
    for (const number of numbers) {
      this.#sealed.delete(number);
      this.#segments.forget(number);
    }
    for (const number of numbers) {
      this.#disk.remove(`${this.folder}/${sideIndexName(number)}`);
      this.#disk.remove(`${this.folder}/${segmentFileName(number)}`);
      const turn = pace();
      if (turn !== true && !(await turn)) return;
    }
    if (numbers.length > 0) await this.#disk.syncFolderLater(this.folder);
  }

  /** Returns the segments that were neither dropped nor exist, although a later one or a side index does. */
  missingSegments(): number[] {
    const first = segmentNumberOf(this.#droppedBelow);
    const present = new Set([...this.#sealed.keys(), ...[...this.#segments].map(({ number }) => number)]);
    const missing = new Set(this.#strays.filter((number) => number >= first));
    if (!this.#hasGaps && !this.#keepsOpen) {
      const last = [...present].reduce((highest, number) => Math.max(highest, number), first);
      for (let number = first; number < last; number += 1) if (!present.has(number)) missing.add(number);
    }
    return [...missing].sort((a, b) => a - b);
  }

  segments(): Iterable<Segment<T>> {
    return this.#segments;
  }

  async save(segment: Segment<T>): Promise<void> {
    // The segment may have been dropped while it waited.
    if (!this.#segments.has(segment)) return;
    await this.#segments.save(segment);
    if (!this.#keepsOpen && isFull(segment) && segment.dirtySince === undefined) await this.#seal(segment);
  }

  async #seal(segment: Segment<T>): Promise<void> {
    await this.#writeSideIndex(segment.number, this.#encode(segment));
    this.#sealed.set(segment.number, this.#written(segment.number).segment);
    this.#segments.forget(segment.number);
  }

  #encode(segment: Segment<T>): Uint8Array {
    const path = `${this.folder}/${segmentFileName(segment.number)}`;
    return encodeSideIndex(path, this.#disk.read(path), segment, this.index);
  }

  async #writeSideIndex(number: number, bytes: Uint8Array): Promise<void> {
    const write = (file: DiskFile) => writeFullyLater(file, bytes, 0);
    await replaceFileLater(this.#disk, this.folder, sideIndexName(number), write, () => undefined);
  }

  #written(number: number): SideIndex {
    const sealed = readSideIndex(this.#disk, this.folder, number);
    if (sealed !== undefined) return sealed;
    throw corruptionError(
      `${this.folder}/${segmentFileName(number)}`,
      undefined,
      "it changed while it was being sealed",
    );
  }

  #readSealed(sealed: SealedSegment, id: number): T | undefined {
    const place = id % idsPerSegment;
    const length = sealed.lengths[place] ?? 0;
    if (length === 0) return undefined;
    const path = `${this.folder}/${segmentFileName(sealed.number)}`;
    const offset = sealed.offsets[place] as number;
    const bytes = this.#disk.readPart(path, offset, length);
    if (checksumOf(bytes) !== (sealed.checksums[place] as number).toString(16).padStart(8, "0")) {
      throw corruptionError(path, offset, `document ${id} does not match its checksum`);
    }
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  }
}

/** True when the segment has every id. Id 0 is never used. */
function isFull(segment: Segment): boolean {
  return segment.count === (segment.number === 0 ? idsPerSegment - 1 : idsPerSegment);
}
