import { dirname } from "node:path";
import { Low } from "lowdb";
import type { StoredDocument } from "../indexes/index.ts";
import { Segment, segmentNumberOf } from "./segment.ts";
import { SegmentFile, type SegmentWriterOptions } from "./segment-file.ts";

/** The segments of one collection that are in memory, one lowdb each. */
export class Segments<T extends StoredDocument> implements Iterable<Segment<T>> {
  readonly folder: string;
  readonly #collection: string;
  readonly #writer: SegmentWriterOptions;
  readonly #lows = new Map<number, Low<Segment<T>>>();
  #isFolderLasting = false;

  constructor(collection: string, folder: string, writer: SegmentWriterOptions) {
    this.#collection = collection;
    this.folder = folder;
    this.#writer = writer;
  }

  /** Returns the files in the folder. Removes temporary files of interrupted writes. */
  fileNames(): string[] {
    const names: string[] = [];
    for (const name of this.#writer.disk.list(this.folder)) {
      if (name.endsWith(".tmp")) this.#writer.disk.remove(`${this.folder}/${name}`);
      else names.push(name);
      this.#isFolderLasting = true;
    }
    return names;
  }

  /** Reads a segment's file. Throws `corruptionError`. */
  async load(number: number): Promise<Segment<T>> {
    const low = this.#lowOf(number);
    await low.read();
    return low.data;
  }

  get(id: number): T | undefined {
    return this.#lows.get(segmentNumberOf(id))?.data.get(id);
  }

  set(id: number, document: T | undefined): void {
    this.#lowOf(segmentNumberOf(id)).data.set(id, document);
  }

  markDirty(id: number, sequence: number): void {
    this.#lowOf(segmentNumberOf(id)).data.markDirty(sequence);
  }

  /** Returns the transaction up to which the document's segment is on disk. */
  savedSequenceOf(id: number): number {
    return this.#lows.get(segmentNumberOf(id))?.data.savedSequence ?? 0;
  }

  latestSavedSequence(): number {
    let latest = 0;
    for (const { savedSequence } of this) latest = Math.max(latest, savedSequence);
    return latest;
  }

  *[Symbol.iterator](): Generator<Segment<T>> {
    for (const { data } of this.#lows.values()) yield data;
  }

  /** Writes one segment through lowdb. After an error, the segment is as dirty as before. */
  async save(segment: Segment<T>): Promise<void> {
    segment.savingSince = segment.dirtySince;
    segment.dirtySince = undefined;
    try {
      if (!this.#isFolderLasting) await this.#makeFolder();
      await this.#lowOf(segment.number).write();
    } catch (error) {
      segment.dirtySince = segment.savingSince;
      throw error;
    } finally {
      segment.savingSince = undefined;
    }
  }

  /** Makes the folder durable before its first file. */
  async #makeFolder(): Promise<void> {
    const { disk } = this.#writer;
    const documentsFolder = dirname(this.folder);
    disk.makeFolder(this.folder);
    await disk.syncFolderLater(documentsFolder);
    await disk.syncFolderLater(dirname(documentsFolder));
    this.#isFolderLasting = true;
  }

  has(segment: Segment<T>): boolean {
    return this.#lows.get(segment.number)?.data === segment;
  }

  /** Removes a segment from memory. Its file stays. */
  forget(number: number): void {
    this.#lows.delete(number);
  }

  #lowOf(number: number): Low<Segment<T>> {
    const existing = this.#lows.get(number);
    if (existing !== undefined) return existing;
    const file = new SegmentFile<T>(this.#writer, this.folder, this.#collection, number);
    const low = new Low<Segment<T>>(file, new Segment<T>(this.#collection, number));
    this.#lows.set(number, low);
    return low;
  }
}
