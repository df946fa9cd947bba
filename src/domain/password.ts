import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import { unavailable } from "./failure.ts";

/** The longest queue. Callers beyond it get 503. */
const waitingMax = 32;

/** How long a stolen digest must resist attacks; `short` means until the process ends. */
export type PasswordLife = "long" | "short";

const costs = {
  long: { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 },
  short: { algorithm: "argon2id", memoryCost: 1_024, timeCost: 1 },
} as const;

/** Hashing takes a core for 50 ms and 64 MiB, so it runs at most once per core. */
const hashWithLimit = limitConcurrency(
  ({ password, life }: { readonly password: string; readonly life: PasswordLife }) =>
    Bun.password.hash(password, costs[life]),
  waitingMax,
);

/** Returns an argon2id digest with its salt and costs. Throws 503 when too many calls wait. */
export function hashPassword(password: string, life: PasswordLife): Promise<string> {
  return hashWithLimit({ password, life });
}

/** Verifying costs as much as hashing. */
const verifyInTurn = limitConcurrency(
  ({ password, digest }: { readonly password: string; readonly digest: string }) =>
    Bun.password.verify(password, digest),
  waitingMax,
);

/**
 * A digest that no password matches, with the usual costs: requests for a user without a password take as long as others.
 */
const dummyDigest =
  "$argon2id$v=19$m=65536,t=2,p=1$uw9URnTdopRmygygtXxV/J2bX3a4NAmatixyh45791k$EzkW5pK1Qg+Pzkxm99z5koQTRp+mST0meZ9Qv1zM8xM";

/**
 * True when a password matches a digest. null, for an account without one or a missing account, never matches and takes as
 * long. Throws 503 when too many calls wait.
 */
export async function fitsPassword(password: string, digest: string | null): Promise<boolean> {
  const fits = await verifyInTurn({ password, digest: digest ?? dummyDigest });
  return fits && digest !== null;
}

/** Limits the concurrent calls of `run` to the number of cores. Throws 503 when `waitingMax` calls wait already. */
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

/** True when a password of at least 8 characters is one of the most common ones. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(password.toLowerCase());
}
