import { answerOf, client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { useInterval } from "../../parts/hooks/use-interval.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { hrefOf } from "../../state/router.ts";

type Kind = ItemOf<"/-/attention">["kind"];

const everyMs = 30_000;

/** The page that helps with each kind of problem. */
const pageOf: Readonly<Partial<Record<Kind, readonly [path: string, title: string]>>> = {
  failed_jobs: ["/jobs?state=failed", "Background jobs"],
  no_backup: ["/backups", "Backups"],
  unsent_mails: ["/mails", "Mails"],
};

/** Problems that need an administrator. */
export function Attention() {
  const { data: notices, refusal, reload } = useAnswer("attention", () => answerOf(client.GET("/-/attention")));
  useInterval(everyMs, true, reload);
  if (refusal !== "") return <Refusal text={refusal} />;
  if (notices === undefined) return <p role="status">Loading…</p>;
  if (notices.length === 0) return <p class="good">Nothing needs attention.</p>;
  return (
    <ul class="notices" aria-label="Needs attention">
      {notices.map(({ kind, text, advice }) => {
        const [path, title] = pageOf[kind] ?? [];
        return (
          <li key={kind}>
            <span class="long">
              {text} {advice}
            </span>{" "}
            {path !== undefined && <a href={hrefOf(path)}>{title}</a>}
          </li>
        );
      })}
    </ul>
  );
}
