import { describe, expect, test } from "bun:test";
import {
  collection,
  field,
  log,
  lostReferenceOf,
  record,
  recordFault,
  unknownFields,
  withNewSecrets,
  withoutSecrets,
} from "../../../src/store/index.ts";

const Door = record({
  id: field.whole,
  iid: field.whole,
  house_id: field.nullable(field.whole),
  code: field.text,
  digest: field.optional(field.text),
  seen: field.moment,
  built_on: field.day,
  width: field.number,
  state: field.oneOf("open", "shut"),
  sizes: field.listOf(field.either(field.whole, field.text)),
  names: field.mapOf(field.text),
  lock: field.nullable(field.object({ maker: field.text, keys: field.optional(field.whole) })),
  owner: field.partial(field.object({ name: field.text })),
  notes: field.anything,
});

const door = {
  ...{ id: 1, iid: 7, house_id: null, code: "x", seen: "2027-01-31T09:30:00.000Z", built_on: "2027-01-31", width: 0.5 },
  ...{ state: "open", sizes: [1, "two"], names: { "a/b": "c" }, lock: null, owner: {}, notes: null },
};

describe("the error of an invalid document", () => {
  test.each([
    [{}, undefined],
    [{ digest: "d", lock: { maker: "m" }, owner: { name: "n" } }, undefined],
    [{ id: 2 ** 60 }, "id is 1152921504606847000; expected a whole number"],
    [{ code: "x".repeat(50), digest: 1 }, "digest is 1; expected text"],
    [{ house_id: "x" }, 'house_id is "x"; expected null or a whole number'],
    [{ seen: "2027-01-31" }, 'seen is "2027-01-31"; expected a time as 2027-01-31T09:30:00.000Z'],
    [{ built_on: "2027-02-30" }, 'built_on is "2027-02-30"; expected a day as 2027-01-31'],
    [{ width: "x" }, 'width is "x"; expected a number'],
    [{ state: "x".repeat(50) }, `state is "${"x".repeat(39)}…; expected one of open, shut`],
    [{ sizes: [1, true] }, "sizes[1] is true; expected a whole number or text"],
    [{ names: { "a/b": 1 } }, "names.a/b is 1; expected text"],
    [{ lock: 7 }, "lock is 7; expected null or an object"],
    [{ lock: {} }, "lock.maker is missing"],
    [{ lock: { maker: "m", keys: "x" } }, 'lock.keys is "x"; expected a whole number'],
    [{ owner: { name: 1 } }, "owner.name is 1; expected text"],
  ] as const)("%j", (change, fault) => {
    expect(recordFault(Door, { ...door, ...change })).toBe(fault);
  });

  test("is a missing field, of any type", () => {
    const { notes, ...rest } = door;
    expect([recordFault(Door, { ...rest, notes }), recordFault(Door, rest)]).toEqual([undefined, "notes is missing"]);
  });

  test("is not an unknown field", () => {
    expect(recordFault(Door, { ...door, colour: "red" })).toBeUndefined();
    expect(unknownFields(Door, { ...door, colour: "red", toString: 1 })).toEqual(["colour", "toString"]);
  });
});

describe("a declaration", () => {
  const doors = collection("front-doors", Door, {
    secrets: {
      code: "renew",
      digest: "omit",
      state: { replace: "shut" },
      sizes: "public",
      owner: { omit: ["name"] },
    },
    iidSequence: ({ house_id }) => `doors of house ${house_id}`,
    references: { house_id: "houses", id: { by: "state", of: { open: "gates" } } },
  });

  test("names the sequences that a document's ids use", () => {
    const own = { sequence: "doors" };
    const derived = { sequence: { name: "halves", numberOf: ({ id }: { id: number }) => id / 2 } };
    const numbers = (options: object) => collection("back-doors", Door, options).sequencesUsedBy({ ...door, id: 4 });
    expect(doors.sequencesUsedBy(door)).toEqual([
      ["front_doors", 1],
      ["doors of house null", 7],
    ]);
    expect([numbers({}), numbers(own), numbers({ sequence: undefined }), numbers(derived)]).toEqual([
      [["back_doors", 4]],
      [["doors", 4]],
      [],
      [["halves", 2]],
    ]);
  });

  test("lists the fields that an export without secrets shows, and that an import generates", () => {
    const secret = { ...door, digest: "d", owner: { name: "n", age: 3 } };
    const { digest, ...rest } = secret;
    const shown = withoutSecrets(doors, secret);
    expect<object>(shown).toEqual({ ...rest, code: null, state: "shut", owner: { age: 3 } });
    expect<object>(withNewSecrets(doors, shown, () => digest)).toEqual({ ...shown, code: "d" });
    expect<object>(withNewSecrets(doors, secret, () => "new")).toEqual(secret);
  });

  test("ignores absent fields of a document", () => {
    expect<object>(withoutSecrets(doors, door)).toEqual({ ...door, code: null, state: "shut" });
  });

  test("lists the required fields of a document", () => {
    const targets = { has: (name: string) => name === "houses", collectionOfType: () => undefined };
    expect(lostReferenceOf(doors, { ...door, state: "shut" } as never, targets)).toBeUndefined();
    expect(lostReferenceOf(doors, door, targets)).toEqual({ field: "id", target: "gates", id: 1 });
  });

  test("have a name that backups know", () => {
    expect(() => collection("front_doors", Door)).toThrow('the name of the collection "front_doors" is not kebab-case');
    for (const name of ["", "Doors", "doors/2", "doors-"]) expect(() => collection(name, Door)).toThrow("kebab-case");
  });

  test("cannot name an unknown field", () => {
    // @ts-expect-error
    collection("a", Door, { secrets: { colour: "omit" } });
    // @ts-expect-error
    collection("a", Door, { references: { colour: "colours" } });
    // @ts-expect-error
    collection("a", Door, { references: { id: { by: "colour", of: {} } } });
    // @ts-expect-error
    collection("a", Door, { iidSequence: ({ colour }) => `${colour}` });
    // @ts-expect-error
    collection("a", record({ id: field.whole }), { iidSequence: ({ id }) => `${id}` });
    // @ts-expect-error
    log("a", Door, { timeOf: ({ id }) => id, keysOf: () => [], secrets: { id: "renew" } });
    // @ts-expect-error
    expect(() => collection("a", record({ name: field.text }))).not.toThrow();
  });
});
