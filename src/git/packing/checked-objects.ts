import type { ObjectType } from "../objects/limits.ts";
import { checkObject } from "./fsck.ts";
import { checkSpecialFile, specialFileBytesMax } from "./fsck-files.ts";
import { contentPieces, placeToRead } from "./large-objects.ts";
import { heldBytesMax, type MadeBytes, PackError } from "./limits.ts";
import type { ObjectPlace, ObjectStore } from "./object-store.ts";
import { hexOf, OidTable } from "./oid-table.ts";
import { typeNames } from "./pack-entries.ts";
import { type Content, freeContent, piecesOf } from "./scratch.ts";
import type { SpecialFile } from "./special-names.ts";

/** References that may lead to any type. */
const anyType = 0;
const specialFiles: readonly SpecialFile[] = ["modules", "attributes"];

/** Makes the content of an object of the pack again. */
export type ContentAt = (at: number) => Promise<Content>;

/** The objects of a received pack by their ids. Refuses objects that git would not take. */
export class CheckedObjects {
  readonly #store: ObjectStore;
  readonly #made: MadeBytes;
  /** The place in the pack. */
  readonly #places = new OidTable();
  /** Ids that objects name, with the number of the type. */
  readonly #references = new OidTable();
  /** Files that git itself reads, with the place in `specialFiles`. */
  readonly #special = new OidTable();
  /** Objects that are there already, and whose content was not at hand to be compared. */
  readonly #repeated: { readonly at: number; readonly type: ObjectType; readonly other: ObjectPlace | number }[] = [];

  constructor(store: ObjectStore, made: MadeBytes) {
    this.#store = store;
    this.#made = made;
  }

  /** The place of an object in the pack. */
  placeOf(oid: Uint8Array): number | undefined {
    return this.#places.get(oid);
  }

  /** Adds an object of the repository that the pack gets. */
  addStored(oid: Uint8Array, at: number): void {
    this.#places.set(oid, 0, at);
  }

  /** Adds an object, and checks what it says. `content` is undefined for a file that is not in memory. Throws `PackError`. */
  add(at: number, type: ObjectType, oid: Uint8Array, content: Buffer | undefined): void {
    const twin = this.#places.get(oid);
    const stored = twin === undefined && !this.#store.isEmpty ? this.#store.find(oid) : undefined;
    if (twin !== undefined) this.#repeated.push({ at, type, other: twin });
    else {
      this.#places.set(oid, 0, at);
      if (stored !== undefined && content === undefined) this.#repeated.push({ at, type, other: stored });
    }
    if (stored !== undefined && content !== undefined) {
      this.#requireSame(oid, type, content, stored);
      return;
    }
    if (type === "blob" || content === undefined) return;
    checkObject(
      type,
      content,
      (oids, start, wanted) => this.#refer(oids, start, wanted),
      (file, oids, start) => this.#special.set(oids, start, specialFiles.indexOf(file)),
    );
  }

  /** The first id that an object of the pack names and that is neither in the pack nor in the repository. */
  findMissing(types: Uint8Array): string | undefined {
    for (const [oid, wanted] of this.#references.entries()) {
      const at = this.#places.get(oid);
      const type = at === undefined ? this.#storedType(oid) : typeNames[types[at] as number];
      if (type === undefined || (wanted !== anyType && type !== typeNames[wanted])) return hexOf(oid);
    }
    return undefined;
  }

  /** Throws `PackError` where two contents have one id, and for a file that git refuses to read. */
  async finish(contentAt: ContentAt): Promise<void> {
    for (const { at, type, other } of this.#repeated) {
      const content = await contentAt(at);
      if (typeof other !== "number") await this.#requireSameLarge(type, content, other);
      else {
        const twin = await contentAt(other);
        if (digestOf(content) !== digestOf(twin)) throw collision();
        freeContent(twin);
      }
      freeContent(content);
    }
    for (const [oid, file] of this.#special.entries()) await this.#checkSpecial(oid, file, contentAt);
  }

  async #checkSpecial(oid: Uint8Array, file: number, contentAt: ContentAt): Promise<void> {
    const at = this.#places.get(oid);
    // The file may have come with an earlier push, under a name that nobody looked at.
    const place = at === undefined ? this.#store.find(oid) : undefined;
    if (at === undefined && place === undefined) return;
    const isLarge = place !== undefined && this.#store.headOf(place).size > specialFileBytesMax;
    const content = isLarge
      ? undefined
      : place === undefined
        ? await contentAt(at as number)
        : this.#store.readAt(place).content;
    const isReadable = content instanceof Buffer && content.length <= specialFileBytesMax;
    checkSpecialFile(specialFiles[file] as SpecialFile, isReadable ? content : undefined);
  }

  #storedType(oid: Uint8Array): ObjectType | undefined {
    const place = this.#store.find(oid);
    return place === undefined ? undefined : this.#store.headOf(place).type;
  }

  #refer(oids: Uint8Array, start: number, type: ObjectType | undefined): void {
    const wanted = type === undefined ? anyType : typeNames.indexOf(type);
    const known = this.#references.get(oids, start);
    if (known === undefined || known === anyType) this.#references.set(oids, start, wanted);
    else if (wanted !== anyType && wanted !== known) {
      throw new PackError("fsck error in packed object: object of two types");
    }
  }

  #requireSame(oid: Uint8Array, type: ObjectType, content: Buffer, stored: ObjectPlace): void {
    const place = placeToRead(this.#store, oid, stored);
    this.#requireSameHead(type, content, place);
    this.#made.add(content.length);
    if (!this.#store.readAt(place).content.equals(content)) throw collision();
  }

  async #requireSameLarge(type: ObjectType, content: Content, place: ObjectPlace): Promise<void> {
    this.#requireSameHead(type, content, place);
    if (content.length > heldBytesMax && this.#store.isDelta(place)) return;
    this.#made.add(content.length);
    const hasher = new Bun.CryptoHasher("sha256");
    for await (const piece of contentPieces(this.#store, place)) hasher.update(piece);
    if (hasher.digest("hex") !== digestOf(content)) throw collision();
  }

  #requireSameHead(type: ObjectType, content: Content, place: ObjectPlace): void {
    const head = this.#store.headOf(place);
    if (head.type !== type || head.size !== content.length) throw collision();
  }
}

/** Not SHA-1: that is what two contents have in common. */
function digestOf(content: Content): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const piece of piecesOf(content)) hasher.update(piece);
  return hasher.digest("hex");
}

function collision(): PackError {
  return new PackError("SHA1 collision found with an object that is there");
}
