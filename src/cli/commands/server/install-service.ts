import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { platform } from "../../../lib/platform/index.ts";
import { printJson } from "../../output/table.ts";
import { print, printMessage } from "../../output/terminal.ts";

export interface ServiceFlags {
  /** The name of the unit, and of its folder below /var/lib. */
  readonly name: string;
  /** An existing user; undefined means that systemd creates one. */
  readonly user: string | undefined;
  /** The data folder; undefined means the service's own below /var/lib. */
  readonly data: string | undefined;
  /** The absolute paths of other folders that the service writes. */
  readonly folders: readonly string[];
  /** The absolute path of a socket file to listen on, instead of a port. */
  readonly socket: string | undefined;
  /** The absolute path of the executable. */
  readonly executable: string;
  /** The variables and their values, without secrets. */
  readonly settings: Readonly<Record<string, string>>;
  /** True to print one JSON object. */
  readonly json: boolean;
  /** The file or folder to write; undefined prints the unit. */
  readonly writeTo: string | undefined;
}

/** The folder of an administrator's systemd units. */
const unitFolder = "/etc/systemd/system";

/** Prints a systemd unit, or writes it. Throws `StartError` for wrong use and for a file that cannot be written. */
export async function installService(flags: ServiceFlags): Promise<void> {
  if (!platform.hasSystemd) {
    throw new StartError("this system has no systemd", "outpost serve, started by your system's own service manager");
  }
  if (!/^[a-z][a-z0-9_-]{0,30}$/.test(flags.name)) {
    throw wrong(
      `--name is ${JSON.stringify(flags.name)}; expected lower-case letters, digits, - and _`,
      "--name outpost",
    );
  }
  if (flags.user !== undefined && !/^[A-Za-z_][\w-]{0,31}$/.test(flags.user)) {
    throw wrong(`--user is ${JSON.stringify(flags.user)}; expected the name of a user`, "--user outpost");
  }
  const ownFolder = foldersOf(flags)[0];
  if (ownFolder !== undefined && flags.user === undefined) {
    throw wrong(`${ownFolder} is your own folder; --user must name its owner`, "--user outpost, and the rest");
  }
  const hidden = findHiddenPath(flags);
  if (hidden !== undefined && flags.writeTo !== undefined) {
    throw new StartError(hidden.sentence, hidden.hint, { exitCode: exitCodes.usage });
  }
  const unit = unitOf(flags);
  if (flags.writeTo !== undefined) write(unit, flags.writeTo);
  if (flags.json) await printJson({ unit, file: flags.writeTo ?? null });
  else if (flags.writeTo === undefined) await print(unit);
  if (hidden !== undefined) printMessage(`${hidden.sentence}; try: ${hidden.hint}`);
  const { OUTPOST_EXTERNAL_URL, OUTPOST_BACKUP_SCHEDULE } = flags.settings;
  if (OUTPOST_EXTERNAL_URL === undefined)
    printMessage(
      "links begin with the address that a client uses; --external-url https://HOST makes them the same for all",
    );
  if (OUTPOST_BACKUP_SCHEDULE === undefined)
    printMessage('nothing is backed up; --backup-schedule "30 3 * * *" does it each night');
  if (flags.writeTo !== undefined)
    printMessage(`start it: systemctl daemon-reload && systemctl enable --now ${flags.name}`);
}

/** Matches the paths that ProtectHome and PrivateTmp hide from the service. */
const hiddenFromService = /^\/(?:home|root|run\/user|tmp|var\/tmp)\//;

/** Returns an executable or a folder that the service could not see, with a hint; undefined when there is none. */
function findHiddenPath(flags: ServiceFlags): { readonly sentence: string; readonly hint: string } | undefined {
  const isHidden = (path: string) => hiddenFromService.test(`${path}/`);
  const sentence = (path: string) => `the service cannot see ${path}: the unit hides home and temporary folders`;
  const { executable, name } = flags;
  if (isHidden(executable)) {
    const place = "/usr/local/bin/outpost";
    const hint = `sudo install ${executable} ${place} && sudo ${place} install-service --write`;
    return { sentence: sentence(executable), hint };
  }
  const folder = foldersOf(flags).find(isHidden);
  if (folder === undefined) return undefined;
  return { sentence: sentence(folder), hint: `outpost install-service --data /srv/${name} --user USER` };
}

/** Returns the folders that the service writes, without those that systemd creates. */
function foldersOf({ name, data, folders, socket }: ServiceFlags): string[] {
  const ofSocket = socket === undefined ? [] : [dirname(socket)];
  const made = [stateFolderOf(name), runtimeFolderOf(name)];
  const all = [...(data === undefined ? [] : [data]), ...folders, ...ofSocket];
  return all.filter((folder) => !made.some((each) => folder === each || folder.startsWith(`${each}/`)));
}

function stateFolderOf(name: string): string {
  return `/var/lib/${name}`;
}

function runtimeFolderOf(name: string): string {
  return `/run/${name}`;
}

function unitOf(flags: ServiceFlags): string {
  const { name, user, data, socket, executable } = flags;
  const variables = { OUTPOST_DATA: data ?? stateFolderOf(name), ...flags.settings };
  const files = user === undefined ? secretFiles.filter(([variable]) => variable in flags.settings) : [];
  const credentials = Object.fromEntries(files.map(([variable, file]) => [variable, `%d/${file}`]));
  const folders = foldersOf(flags);
  const { settings } = flags;
  const port = Number(settings.OUTPOST_PORT ?? "8080");
  const lines = [
    ...["[Unit]", "Description=Outpost, the REST API of a collaboration platform"],
    ...["Wants=network-online.target", "After=network-online.target", ""],
    ...["[Service]", "# The server notifies systemd when it answers.", "Type=notify"],
    `ExecStart=${word(executable)} serve`,
    ...Object.entries(variables)
      .filter(([variable]) => !(variable in credentials))
      .map(([variable, value]) => `Environment=${word(`${variable}=${value}`)}`),
    ...files.flatMap(([variable, file]) => [
      // Everything after the colon is the path, including quotes and spaces.
      `LoadCredential=${file}:${(settings[variable] ?? "").replaceAll("%", "%%")}`,
      `Environment=${variable}=${credentials[variable]}`,
    ]),
    "# Secrets: lines such as OUTPOST_SMTP_URL=…, in a file that only root can read.",
    `EnvironmentFile=-/etc/${name}.env`,
    ...(user === undefined ? ["DynamicUser=yes"] : [`User=${user}`]),
    ...(data === undefined ? [`StateDirectory=${name}`, "StateDirectoryMode=0700"] : []),
    ...(socket?.startsWith(`${runtimeFolderOf(name)}/`) === true ? [`RuntimeDirectory=${name}`] : []),
    ...folders.map((folder) => `ReadWritePaths=${word(folder)}`),
    ...["UMask=0077", "Restart=on-failure", "# A restart does not help after wrong use (2) and damage (3)."],
    `RestartPreventExitStatus=${exitCodes.usage} ${exitCodes.damaged}`,
    ...["TimeoutStartSec=15min", "TimeoutStopSec=30s", "LimitNOFILE=65536", ""],
    ...(port > 0 && port < 1024
      ? ["AmbientCapabilities=CAP_NET_BIND_SERVICE", "CapabilityBoundingSet=CAP_NET_BIND_SERVICE"]
      : ["CapabilityBoundingSet="]),
    ...hardening,
    ...["", "[Install]", "WantedBy=multi-user.target", ""],
  ];
  return lines.join("\n");
}

/** Files that the service's user may not read. systemd gives it copies at each start. */
const secretFiles = [
  ["OUTPOST_TLS_CERT", "tls-cert"],
  ["OUTPOST_TLS_KEY", "tls-key"],
] as const;

/** Without MemoryDenyWriteExecute, since the runtime has a just-in-time compiler. */
const hardening = [
  "NoNewPrivileges=yes",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "ProtectClock=yes",
  "ProtectHostname=yes",
  "ProtectControlGroups=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectProc=invisible",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "RemoveIPC=yes",
  "LockPersonality=yes",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallFilter=~@privileged @resources",
  "SystemCallErrorNumber=EPERM",
];

/** Quotes a text as one word of a unit, in which % is special too. */
function word(text: string): string {
  const plain = text.replaceAll("%", "%%");
  return /^[\w.,:=@/+-]+$/.test(text) ? plain : `"${plain.replaceAll(/["\\]/g, "\\$&")}"`;
}

function write(unit: string, to: string): void {
  try {
    writeFileSync(to, unit);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`cannot write ${to}: ${reason}`, "sudo outpost install-service --write", { cause: error });
  }
  printMessage(`wrote ${to}`);
}

/** Returns the file for `--write` without a value. */
export function unitFileOf(name: string, given: string | true): string {
  return given === true ? join(unitFolder, `${name}.service`) : resolve(given);
}

function wrong(message: string, flags: string): StartError {
  return new StartError(message, `outpost install-service ${flags}`, { exitCode: exitCodes.usage });
}
