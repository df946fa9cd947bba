import type { Disk, DiskFile } from "../../../src/store/disk.ts";
import { createRandom } from "../checks/random.ts";

/** The fault that a call has instead of its work; a short write matters to writes only. */
export type Fault = "EIO" | "ENOSPC" | "short write";

/** Each is one method of the disk or of a file; the ones that wait and the ones that do not count as the same. */
export type CallKind =
  | "makeFolder"
  | "list"
  | "read"
  | "open"
  | "rename"
  | "link"
  | "remove"
  | "syncFolder"
  | "write"
  | "sync"
  | "close";

interface PlannedFault {
  readonly fault: Fault;
  /** The first call that fails, counted from 1 among those of the kind. */
  readonly from: number;
  readonly isForever: boolean;
  readonly kind: CallKind | undefined;
}

/** The power is gone: this call and every later one of the disk throws it. */
export class PowerLoss extends Error {
  override readonly name = "PowerLoss";
}

const sectorBytes = 512;

/** Decides for an unsynced write which sectors that it touches are on the disk. */
type SectorChoice = (sector: number) => boolean;

type FileChange = { readonly position: number; readonly bytes: Uint8Array } | "emptied";

/** Bytes that grow. */
class Content {
  #bytes: Uint8Array;
  length: number;

  constructor(from: Uint8Array = new Uint8Array(0)) {
    this.#bytes = from;
    this.length = from.byteLength;
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  apply(change: FileChange, isKept: SectorChoice = () => true): void {
    if (change === "emptied") {
      if (isKept(0)) this.#resize(0);
      return;
    }
    const { position, bytes } = change;
    const end = position + bytes.byteLength;
    for (let at = position; at < end; ) {
      const sector = Math.floor(at / sectorBytes);
      const sectorEnd = Math.min(end, (sector + 1) * sectorBytes);
      if (isKept(sector)) {
        this.#resize(Math.max(this.length, sectorEnd));
        this.#bytes.set(bytes.subarray(at - position, sectorEnd - position), at);
      }
      at = sectorEnd;
    }
  }

  applyWhole(change: FileChange): void {
    if (change === "emptied") {
      this.#resize(0);
      return;
    }
    this.#resize(Math.max(this.length, change.position + change.bytes.byteLength));
    this.#bytes.set(change.bytes, change.position);
  }

  #resize(length: number): void {
    if (length > this.#bytes.byteLength) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.byteLength * 2));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    if (length < this.length) this.#bytes.fill(0, length, this.length);
    this.length = length;
  }
}

/** A file apart from its names: what programs see, what is on the disk, and what lies between the two. */
class FileNode {
  seen: Content;
  onDisk: Content;
  unsynced: FileChange[] = [];
  /** Number of folders that have it. */
  names = 1;

  constructor(content?: Uint8Array) {
    this.seen = new Content(content);
    this.onDisk = new Content(content?.slice());
  }

  change(change: FileChange): void {
    this.seen.applyWhole(change);
    this.unsynced.push(change);
  }

  /** The first so many changes are on the disk now. */
  synced(count: number): void {
    for (const change of this.unsynced.splice(0, count)) this.onDisk.applyWhole(change);
  }

  /** After a sync that failed, the system takes the changes for written: no later sync writes them again. */
  syncFailed(random: Random): void {
    for (const change of this.unsynced.splice(0)) this.onDisk.apply(change, survival(random));
  }

  clone(): FileNode {
    const clone = new FileNode(this.onDisk.copy());
    clone.seen = new Content(this.seen.copy());
    clone.unsynced = [...this.unsynced];
    clone.names = this.names;
    return clone;
  }
}

type DiskNode = FileNode | FolderNode;

/** One create, rename or remove: it survives a power loss whole or not at all, and without the others. */
interface EntryChange {
  readonly added?: readonly [name: string, node: DiskNode] | undefined;
  readonly dropped?: readonly [name: string, node: DiskNode] | undefined;
}

function changeEntries(entries: Map<string, DiskNode>, { added, dropped }: EntryChange): void {
  if (dropped !== undefined && entries.get(dropped[0]) === dropped[1]) entries.delete(dropped[0]);
  if (added !== undefined) entries.set(added[0], added[1]);
}

class FolderNode {
  seen = new Map<string, DiskNode>();
  onDisk = new Map<string, DiskNode>();
  unsynced: EntryChange[] = [];

  change(change: EntryChange): void {
    changeEntries(this.seen, change);
    this.unsynced.push(change);
  }

  synced(count: number): void {
    for (const change of this.unsynced.splice(0, count)) changeEntries(this.onDisk, change);
  }
}

type Random = () => number;

/** Dropped, kept or torn, each as likely. */
function survival(random: Random): SectorChoice {
  const lot = Math.floor(random() * 3);
  if (lot === 2) return () => random() < 0.5;
  return () => lot === 1;
}

/**
 * A disk in memory that breaks on request: calls that fail, a limit of space, syncs that take as long as the test
 * wants, and power loss. Content belongs to files and names belong to folders, each with its own sync, as on a real
 * disk: what is not synced may be gone, whole or in part, after the power was.
 */
export class SimulatedDisk implements Disk {
  /** The number of calls of each kind; `total` is all of them. */
  readonly counts: Record<CallKind | "total", number> = {
    total: 0,
    makeFolder: 0,
    list: 0,
    read: 0,
    open: 0,
    rename: 0,
    link: 0,
    remove: 0,
    syncFolder: 0,
    write: 0,
    sync: 0,
    close: 0,
  };
  /** The kinds in the order in which they were called, with their paths. */
  readonly calls: string[] = [];
  /** The calls that failed as planned. */
  readonly faultedCalls: string[] = [];
  /** Files together never take more than this. */
  limitBytes = Number.POSITIVE_INFINITY;
  readonly #random: Random;
  readonly #root: FolderNode;
  readonly #faults: PlannedFault[] = [];
  #powerLossAt: number | undefined;
  #isPowerLost = false;
  #bytes = 0;
  #held: (() => void)[] | undefined;
  #heldPaths = /./;

  /** The seed decides what a failed sync leaves behind. */
  constructor(seed = 1, root: FolderNode = new FolderNode()) {
    this.#random = createRandom(seed).fraction;
    this.#root = root;
    this.#bytes = bytesBelow(root);
  }

  /** The n-th call from now on, of a kind or of any, fails; once, or from then on. */
  fail(fault: Fault, n: number, { kind, isForever = false }: { kind?: CallKind; isForever?: boolean } = {}): void {
    this.#faults.push({ fault, from: this.counts[kind ?? "total"] + n, isForever, kind });
  }

  /** The n-th call from now on is the last: the power goes while it works. */
  losePowerAt(n: number): void {
    this.#powerLossAt = this.counts.total + n;
  }

  get isPowerLost(): boolean {
    return this.#isPowerLost;
  }

  /** Bytes in all files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** From now on a sync that can wait does so until `releaseSyncs`; of all files and folders, or of some paths. */
  holdSyncs(paths: RegExp = /./): void {
    this.#held ??= [];
    this.#heldPaths = paths;
  }

  /** The number of waiting syncs. */
  get heldSyncs(): number {
    return this.#held?.length ?? 0;
  }

  /** Lets the waiting syncs go on; later ones wait again when `thenHold`. */
  releaseSyncs({ thenHold = false } = {}): void {
    const held = this.#held ?? [];
    this.#held = thenHold ? [] : undefined;
    for (const release of held) release();
  }

  /** A healthy disk as the next process finds it when this one was killed: all that was written, synced or not. */
  afterKill(seed = 1): SimulatedDisk {
    return new SimulatedDisk(seed, cloneFolder(this.#root, new Map()));
  }

  /** A healthy disk as the next start of the machine finds it; the seed decides what became of everything unsynced. */
  afterPowerLoss(seed: number): SimulatedDisk {
    return new SimulatedDisk(seed, survivingFolder(this.#root, createRandom(seed).fraction, new Map()));
  }

  /** The content of a file; the test changes it with `damage`. Counts as no call. */
  content(path: string): Uint8Array {
    return this.#file(path).seen.copy();
  }

  /** The part of a file that is certainly on the disk. Counts as no call. */
  syncedContent(path: string): Uint8Array {
    return this.#file(path).onDisk.copy();
  }

  /** Puts other bytes into a file, on the disk too. Counts as no call. */
  damage(path: string, bytes: Uint8Array): void {
    const [folder, name] = this.#place(path);
    const before = folder.seen.get(name);
    this.#bytes += bytes.byteLength - (before instanceof FileNode ? before.seen.length : 0);
    const node = new FileNode(new Uint8Array(bytes));
    folder.seen.set(name, node);
    folder.onDisk.set(name, node);
  }

  /** Names in a folder, sorted. Counts as no call. */
  names(path: string): string[] {
    const node = this.#find(path);
    return node instanceof FolderNode ? [...node.seen.keys()].sort() : [];
  }

  makeFolder(path: string): void {
    this.#call("makeFolder", path, () => {
      let folder = this.#root;
      for (const name of partsOf(path)) {
        let next = folder.seen.get(name);
        if (next === undefined) {
          const made = new FolderNode();
          folder.change({ added: [name, made] });
          next = made;
        }
        if (!(next instanceof FolderNode)) throw systemError("ENOTDIR", `makeFolder ${path}`);
        folder = next;
      }
    });
  }

  list(path: string): string[] {
    return this.#call("list", path, () => this.names(path));
  }

  exists(path: string): boolean {
    if (this.#isPowerLost) throw new PowerLoss();
    return this.#find(path) !== undefined;
  }

  read(path: string): Uint8Array {
    return this.#call("read", path, () => this.content(path));
  }

  sizeOf(path: string): number {
    return this.#call("read", path, () => this.content(path).byteLength);
  }

  readPart(path: string, offset: number, length: number): Uint8Array {
    return this.#call("read", path, () => this.content(path).slice(offset, offset + length));
  }

  open(path: string, mode: "fresh" | "existing"): DiskFile {
    return this.#call("open", path, () => {
      const [folder, name] = this.#place(path);
      let node = folder.seen.get(name);
      if (node === undefined) {
        if (mode === "existing") throw systemError("ENOENT", `open ${path}`);
        const made = new FileNode();
        folder.change({ added: [name, made] });
        node = made;
      } else if (!(node instanceof FileNode)) throw systemError("EISDIR", `open ${path}`);
      else if (mode === "fresh") {
        this.#bytes -= node.seen.length;
        node.change("emptied");
      }
      return this.#handle(node as FileNode, path);
    });
  }

  rename(from: string, to: string): void {
    this.#call("rename", `${from} ${to}`, () => {
      const [folder, oldName] = this.#place(from);
      const [target, newName] = this.#place(to);
      const node = folder.seen.get(oldName);
      if (node === undefined) throw systemError("ENOENT", `rename ${from}`);
      const replaced = folder.seen.get(newName);
      if (replaced instanceof FileNode) this.#bytes -= replaced.seen.length;
      if (target === folder) {
        folder.change({ added: [newName, node], dropped: [oldName, node] });
        return;
      }
      target.change({ added: [newName, node] });
      folder.change({ dropped: [oldName, node] });
    });
  }

  remove(path: string): void {
    this.#call("remove", path, () => {
      const [folder, name] = this.#place(path);
      const node = folder.seen.get(name);
      if (node === undefined) return;
      if (node instanceof FileNode) {
        node.names -= 1;
        if (node.names === 0) this.#bytes -= node.seen.length;
      }
      folder.change({ dropped: [name, node] });
    });
  }

  link(from: string, to: string): void {
    this.#call("link", `${from} ${to}`, () => {
      const [target, name] = this.#place(to);
      if (target.seen.has(name)) throw systemError("EEXIST", `link ${to}`);
      const node = this.#file(from);
      node.names += 1;
      target.change({ added: [name, node] });
    });
  }

  /** Each file and folder is one call, as the system makes it. */
  async removeFolderLater(path: string): Promise<void> {
    const node = this.#find(path);
    if (node === undefined) return;
    if (node instanceof FolderNode) {
      for (const name of [...node.seen.keys()]) await this.removeFolderLater(`${path}/${name}`);
    }
    this.remove(path);
  }

  syncFolder(path: string): void {
    this.#call("syncFolder", path, () => this.#folder(path)).synced(Number.POSITIVE_INFINITY);
  }

  async syncFolderLater(path: string): Promise<void> {
    const folder = this.#call("syncFolder", path, () => this.#folder(path));
    const count = folder.unsynced.length;
    await this.#slowly(path);
    folder.synced(Math.min(count, folder.unsynced.length));
  }

  #handle(node: FileNode, path: string): DiskFile {
    let isOpen = true;
    const needOpen = () => {
      if (!isOpen) throw systemError("EBADF", path);
    };
    const write = (bytes: Uint8Array, position: number): number => {
      needOpen();
      return this.#call(
        "write",
        path,
        () => this.#write(node, bytes, position),
        () => this.#write(node, bytes.subarray(0, bytes.byteLength >> 1), position),
      );
    };
    const beginSync = (): number => {
      needOpen();
      try {
        return this.#call("sync", path, () => node.unsynced.length);
      } catch (error) {
        if (!this.#isPowerLost) node.syncFailed(this.#random);
        throw error;
      }
    };
    return {
      write,
      writeLater: async (bytes, position) => {
        const written = write(bytes, position);
        await this.#later();
        return written;
      },
      sync: () => node.synced(beginSync()),
      syncLater: async () => {
        const count = beginSync();
        await this.#slowly(path);
        node.synced(Math.min(count, node.unsynced.length));
      },
      close: () => {
        needOpen();
        isOpen = false;
        this.#call("close", path, () => undefined);
      },
    };
  }

  #write(node: FileNode, bytes: Uint8Array, position: number): number {
    const free = this.limitBytes - this.#bytes;
    const growth = Math.max(0, position + bytes.byteLength - node.seen.length);
    const written = growth <= free ? bytes.byteLength : bytes.byteLength - (growth - Math.max(0, free));
    if (written <= 0 && bytes.byteLength > 0) throw systemError("ENOSPC", "write");
    this.#bytes += Math.max(0, position + written - node.seen.length);
    // A Buffer would share its bytes with its slice.
    node.change({ position, bytes: new Uint8Array(bytes.subarray(0, written)) });
    return written;
  }

  /** Counts a call and does it, or what was planned for it. */
  #call<T>(kind: CallKind, path: string, act: () => T, actShort?: () => T): T {
    if (this.#isPowerLost) throw new PowerLoss();
    this.counts.total += 1;
    this.counts[kind] += 1;
    this.calls.push(`${kind} ${path}`);
    const fault = this.#faults.find(
      (each) =>
        (each.kind === undefined || each.kind === kind) &&
        (each.fault !== "short write" || kind === "write") &&
        (each.isForever
          ? this.counts[each.kind ?? "total"] >= each.from
          : this.counts[each.kind ?? "total"] === each.from),
    )?.fault;
    if (fault !== undefined) this.faultedCalls.push(`${kind} ${path}: ${fault}`);
    if (fault === "short write" && actShort !== undefined) return actShort();
    if (fault === "EIO" || fault === "ENOSPC") throw systemError(fault, `${kind} ${path}`);
    const result = act();
    // The effect of the last call is unsynced like everything else: it may or may not have reached the disk.
    if (this.counts.total === this.#powerLossAt) {
      this.#isPowerLost = true;
      for (const release of this.#held ?? []) release();
      throw new PowerLoss();
    }
    return result;
  }

  async #later(): Promise<void> {
    await new Promise(setImmediate);
    if (this.#isPowerLost) throw new PowerLoss();
  }

  async #slowly(path: string): Promise<void> {
    const held = this.#held;
    if (held === undefined || !this.#heldPaths.test(path)) return this.#later();
    await new Promise<void>((resolve) => held.push(resolve));
    if (this.#isPowerLost) throw new PowerLoss();
  }

  #find(path: string): DiskNode | undefined {
    let node: DiskNode | undefined = this.#root;
    for (const name of partsOf(path)) node = node instanceof FolderNode ? node.seen.get(name) : undefined;
    return node;
  }

  #folder(path: string): FolderNode {
    const node = this.#find(path);
    if (node instanceof FolderNode) return node;
    throw systemError(node === undefined ? "ENOENT" : "ENOTDIR", path);
  }

  #file(path: string): FileNode {
    const node = this.#find(path);
    if (node instanceof FileNode) return node;
    throw systemError(node === undefined ? "ENOENT" : "EISDIR", path);
  }

  #place(path: string): [folder: FolderNode, name: string] {
    const parts = partsOf(path);
    const name = parts.pop() as string;
    return [this.#folder(parts.join("/")), name];
  }
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function systemError(code: string, place: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${place}`), { code });
}

function bytesBelow(folder: FolderNode): number {
  let sum = 0;
  for (const node of folder.seen.values()) sum += node instanceof FileNode ? node.seen.length : bytesBelow(node);
  return sum;
}

/** The same file under two names, or in an unsynced change, stays the same file. */
function cloneFolder(folder: FolderNode, clones: Map<DiskNode, DiskNode>): FolderNode {
  const known = clones.get(folder);
  if (known !== undefined) return known as FolderNode;
  const clone = new FolderNode();
  clones.set(folder, clone);
  const cloneOf = (node: DiskNode): DiskNode => {
    if (node instanceof FolderNode) return cloneFolder(node, clones);
    const made = clones.get(node) ?? node.clone();
    clones.set(node, made);
    return made;
  };
  for (const [name, node] of folder.seen) clone.seen.set(name, cloneOf(node));
  for (const [name, node] of folder.onDisk) clone.onDisk.set(name, cloneOf(node));
  const entryOf = (entry: readonly [string, DiskNode] | undefined) =>
    entry === undefined ? undefined : ([entry[0], cloneOf(entry[1])] as const);
  clone.unsynced = folder.unsynced.map(({ added, dropped }) => ({ added: entryOf(added), dropped: entryOf(dropped) }));
  return clone;
}

function survivingFolder(folder: FolderNode, random: Random, made: Map<DiskNode, DiskNode>): FolderNode {
  const entries = new Map(folder.onDisk);
  for (const change of folder.unsynced) if (random() < 0.5) changeEntries(entries, change);
  const survivor = new FolderNode();
  for (const [name, node] of entries) {
    const known = made.get(node);
    const kept =
      known ?? (node instanceof FolderNode ? survivingFolder(node, random, made) : survivingFile(node, random));
    made.set(node, kept);
    survivor.seen.set(name, kept);
    survivor.onDisk.set(name, kept);
  }
  return survivor;
}

function survivingFile(node: FileNode, random: Random): FileNode {
  const content = new Content(node.onDisk.copy());
  for (const change of node.unsynced) content.apply(change, survival(random));
  return new FileNode(content.copy());
}
