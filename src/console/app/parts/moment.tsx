const inZone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const toTheSecond = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const separated = new Intl.NumberFormat();

interface MomentProps {
  readonly at: string | null | undefined;
  /** True to show seconds. */
  readonly isPrecise?: boolean;
}

/** A time in the user's time zone, with the exact UTC time on hover. */
export function Moment({ at, isPrecise = false }: MomentProps) {
  if (!at) return <span class="weak">never</span>;
  return (
    <time dateTime={at} title={at}>
      {(isPrecise ? toTheSecond : inZone).format(new Date(at))}
    </time>
  );
}

/** A number with separators. */
export function Figure({ of }: { readonly of: number }) {
  return <span class="figure">{separated.format(of)}</span>;
}

/** Formats a number of bytes. */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  return `${separated.format(Math.round(bytes / 1000 ** step))} ${units[step]}`;
}
