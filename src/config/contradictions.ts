import { exitCodes, StartError } from "../domain/start-error.ts";
import { shellWord } from "../lib/text/shell-word.ts";
import type { Config } from "./config.ts";

/** Throws `StartError` for two settings that contradict each other. */
export function refuseTogether(wanted: string, other: string, command: string): never {
  const message = `${wanted} and ${other} exclude each other`;
  throw new StartError(message, `outpost ${command} ${wanted}`, { exitCode: exitCodes.usage });
}

/** Throws `StartError` for settings of which one requires or excludes another. */
export function refuseContradictions(config: Config, command: string): void {
  const { socket, tlsCert, tlsKey, tlsSelfSigned, memory, repositoryStorages } = config;
  const refuse = (message: string, flags: string): never => {
    throw new StartError(message, `outpost ${command} ${flags}`, { exitCode: exitCodes.usage });
  };
  const files = "--tls-cert server.pem --tls-key server.key";
  if (tlsCert !== undefined && tlsKey === undefined) refuse("--tls-cert requires --tls-key", files);
  if (tlsCert === undefined && tlsKey !== undefined) refuse("--tls-key requires --tls-cert", files);
  if (tlsCert !== undefined && tlsSelfSigned) refuse("--tls-cert and --tls-self-signed exclude each other", files);
  if (socket !== undefined && (tlsCert !== undefined || tlsSelfSigned)) {
    refuse("--socket and HTTPS exclude each other", `--socket ${socket}`);
  }
  if (memory && repositoryStorages.some(({ folder }) => folder !== undefined)) {
    refuseTogether("--memory", "folders of --repository-storages", command);
  }
  if (!config.sandbox) refuseForSandboxOnly(config, refuse);
}

function refuseForSandboxOnly(
  { rngSeed, fixture, record, outgoing }: Config,
  refuse: (message: string, flags: string) => never,
): void {
  // A seed makes tokens predictable, so it is only for sandboxes.
  if (rngSeed !== undefined) refuse("--rng-seed requires --sandbox", `--sandbox --rng-seed ${rngSeed}`);
  if (fixture !== undefined) refuse("--fixture requires --sandbox", `--sandbox --fixture ${shellWord(fixture)}`);
  if (record !== undefined) refuse("--record requires --sandbox", `--sandbox --record ${shellWord(record)}`);
  if (outgoing === "sink") refuse("--outgoing sink requires --sandbox", "--sandbox --outgoing sink");
}
