import { systemClock } from "../../../../src/domain/clock.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import { collection, field, ordered, record, Store, text } from "../../../../src/store/index.ts";
import { Bitmap } from "../../../../src/store/query/bitmap.ts";
import { setOfIds } from "../../../../src/store/query/set-algebra.ts";
import { UnionSet } from "../../../../src/store/query/union-set.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { mebibyte, type WorstInput, worst } from "./input.ts";

const idMax = 10_000_000;
/** Ids in no order that a cache of the processor likes. */
const scattered = (count: number, first = 0) =>
  Array.from({ length: count }, (_, at) => ((first + at) * 7_919) % idMax);

function fullBitmap(): Bitmap {
  const bitmap = new Bitmap(idMax);
  for (let id = 0; id < idMax; id += 1) bitmap.add(id);
  return bitmap;
}

const Text = record({ id: field.whole, text: field.text });
const texts = collection("texts", Text, {
  indexes: { byId: ordered(({ id }) => id), words: text({ text: (each) => each.text }) },
});

/** Changes of a document of a mebibyte, which a text index has, in a store whose disk is memory. */
function changes(...alternately: readonly [string, string]) {
  return async () => {
    const store = await Store.open({
      ...{
        folder: "/data",
        collections: [texts],
        disk: new SimulatedDisk(),
        log: silentLog,
        randomness: systemRandomness,
      },
      ...{
        clock: systemClock,
        lock: () => ({ release() {} }),
        onDiskFailure: (error) => {
          throw error;
        },
      },
    });
    store.transact((tx) => tx.insert(texts, { id: 1, text: "" }));
    store.startBackgroundWork();
    await store.backgroundWorkDone();
    let count = 0;
    return async () => {
      const given = alternately[count++ % 2] as string;
      store.transact((tx) => tx.update(texts, { id: 1, text: given }));
      await store.settled();
    };
  };
}

/** Texts with as many different pieces as there are. */
const characters = (first: number) =>
  Array.from({ length: mebibyte }, (_, at) => String.fromCharCode(0x4e00 + (((first + at) * 7_919) % 20_000))).join("");

export const storeInputs: readonly WorstInput[] = [
  worst("bitmap: wordsPerStep", "the ids in two of ten million", () => {
    const [one, other] = [fullBitmap(), fullBitmap()];
    return () => one.copy().andWith(other);
  }),
  worst("bitmap: wordsPerStep", "the count of three of ten million", () => {
    const [one, other] = [fullBitmap(), fullBitmap()];
    return () => Bitmap.countOf([one, other], [], other);
  }),
  worst("bitmap: a step for an id", "a million scattered ids", () => {
    const ids = Uint32Array.from(scattered(1_000_000));
    return () => new Bitmap(idMax).addAll(ids, 0, ids.length, idMax);
  }),
  worst("setOfIds: stepsPerId", "a million scattered ids", () => {
    const ids = scattered(1_000_000);
    return () => setOfIds(ids);
  }),
  worst("union: a step for an id", "a thousand sets of a thousand ids", () => {
    const sets = Array.from({ length: 1_000 }, (_, at) => new Set(scattered(1_000, at * 1_000)));
    return () => new UnionSet(sets).bits;
  }),
  worst("union: a step for a set", "questions to a thousand sets", () => {
    const sets = Array.from({ length: 1_000 }, (_, at) => new Set(scattered(1_000, at * 1_000)));
    return () => {
      const union = new UnionSet(sets);
      for (let id = 0; id < 50; id += 1) union.has(id);
    };
  }),
  worst("writeSteps and the journal", "a mebibyte of one letter", changes("a".repeat(mebibyte), "b".repeat(mebibyte))),
  worst("writeSteps and the journal", "a mebibyte of all characters", changes(characters(0), characters(7))),
  worst("writeSteps and the journal", "a mebibyte that is longer in lower case", changes("İ".repeat(mebibyte), "")),
];
