import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import { unavailable } from "./failure.ts";

/** The longest queue: those behind it would lose patience. */
const waitingMax = 32;

/** For how long digests have to withstand who has stolen them; `short`: they are gone with the process. */
export type PasswordLife = "long" | "short";

const costs = {
  long: { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 },
  short: { algorithm: "argon2id", memoryCost: 1_024, timeCost: 1 },
} as const;

/** Hashing takes a core for a twentieth of a second and 64 MiB: never more at once than there are cores. */
const hashWithLimit = limitConcurrency(
  ({ password, life }: { readonly password: string; readonly life: PasswordLife }) =>
    Bun.password.hash(password, costs[life]),
  waitingMax,
);

/** An argon2id digest with its salt and costs in it. Throws 503 when too many wait for theirs already. */
export function hashPassword(password: string, life: PasswordLife): Promise<string> {
  return hashWithLimit({ password, life });
}

/** Checking takes what hashing takes. */
const verifyInTurn = limitConcurrency(
  ({ password, digest }: { readonly password: string; readonly digest: string }) =>
    Bun.password.verify(password, digest),
  waitingMax,
);

/** A digest of no password, with the costs of all: a user without one is refused as slowly as others. */
const dummyDigest =
  "$argon2id$v=19$m=65536,t=2,p=1$uw9URnTdopRmygygtXxV/J2bX3a4NAmatixyh45791k$EzkW5pK1Qg+Pzkxm99z5koQTRp+mST0meZ9Qv1zM8xM";

/**
 * Whether a password fits a digest; null, for an account that has none or is not there, fits nothing and takes as long.
 * Throws 503 when too many wait already.
 */
export async function fitsPassword(password: string, digest: string | null): Promise<boolean> {
  const fits = await verifyInTurn({ password, digest: digest ?? dummyDigest });
  return fits && digest !== null;
}

/** Limits the calls of `run` at a time to the number of cores; throws 503 when `waitingMax` calls wait already. */
export function limitConcurrency<T, R>(run: (input: T) => Promise<R>, waitingMax: number): (input: T) => Promise<R> {
  const limit = pLimit(availableParallelism());
  return async (input) => {
    if (limit.pendingCount >= waitingMax) throw unavailable();
    return limit(() => run(input));
  };
}

const commonPasswords = new Set(
  `password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890
  12341234 11111111 111111111 1111111111 00000000 000000000 88888888 99999999 77777777 66666666 55555555 22222222
  87654321 987654321 0987654321 123123123 12121212 123321123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 zaq12wsx qwertyuiop
  qwerty123 qwerty12 qwerty1234 qwertyui asdfghjkl asdfasdf zxcvbnm1 zxcvbnm123 iloveyou iloveyou1 sunshine princess
  football baseball superman batman123 trustno1 starwars whatever computer internet michelle jennifer corvette mercedes
  victoria elephant welcome1 welcome123 changeme changeme123 letmein1 letmein123 admin123 admin1234 administrator
  rootroot abcd1234 abc12345 abcdefgh abcdefg1 a1b2c3d4 aa123456 qwer1234 q1w2e3r4 samantha monkey123 dragon123
  master123 shadow123 liverpool arsenal1 chelsea1 blink182 pokemon1 babygirl butterfly chocolate basketball`.split(
    /\s+/,
  ),
);

/** Whether a password of 8 characters or more is among the most common ones. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(password.toLowerCase());
}
