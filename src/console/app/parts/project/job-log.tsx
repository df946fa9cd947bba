import Anser from "anser";
import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { addressOf } from "../../api/paths.ts";
import { hrefOf } from "../../state/router.ts";
import { explain } from "../../state/toasts.ts";
import { useInterval } from "../hooks/use-interval.ts";
import { Refusal } from "../refusal.tsx";

const everyMs = 1_000;
/** The most characters that the page shows. A link opens the whole log. */
const shownMax = 256 * 1024;

interface JobLogProps {
  readonly projectId: number;
  readonly jobId: number;
  readonly isGrowing: boolean;
}

/** The log of a job with its colours. While the log grows, the page loads only the new part. */
export function JobLog({ projectId, jobId, isGrowing }: JobLogProps) {
  const address = addressOf("/api/v4/projects/{id}/jobs/{job_id}/trace", { id: projectId, job_id: jobId });
  const { text, refusal, read } = useGrowingText(address);
  // Reads once more at the end, for the last lines.
  useEffect(read, [isGrowing]);
  useInterval(everyMs, isGrowing, read);
  const shown = text.slice(-shownMax);
  return (
    <>
      <p>
        <a href={address} download={`job-${jobId}.log`}>
          Download the log
        </a>
      </p>
      <Refusal text={refusal} />
      {text.length > shown.length && <p class="weak">The end of the log; the download has all of it.</p>}
      {text === "" ? (
        <p class="empty">
          The job has written nothing yet: a runner does, once it has the job.{" "}
          <a href={hrefOf(`/projects/${projectId}/runners`)}>Runners of the project</a>
        </p>
      ) : (
        <pre class="code log">
          <Coloured text={shown} />
        </pre>
      )}
    </>
  );
}

function Coloured({ text }: { readonly text: string }) {
  let at = 0;
  return (
    <>
      {Anser.ansiToJson(text, { use_classes: true, remove_empty: true }).map(({ content, fg, decorations }) => {
        at += content.length;
        return (
          <span key={at} class={[fg, ...decorations].filter(Boolean).join(" ")}>
            {content}
          </span>
        );
      })}
    </>
  );
}

function useGrowingText(address: string) {
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState("");
  const bytes = useRef(0);
  const decoder = useRef(new TextDecoder());
  const isReading = useRef(false);
  const read = () => {
    if (isReading.current) return;
    isReading.current = true;
    const headers = bytes.current === 0 ? {} : { Range: `bytes=${bytes.current}-` };
    send(new Request(new URL(address, location.origin), { headers }))
      .then(async (response) => {
        const piece = new Uint8Array(await response.arrayBuffer());
        if (response.status !== 206) {
          bytes.current = 0;
          decoder.current = new TextDecoder();
        }
        bytes.current += piece.length;
        const added = decoder.current.decode(piece, { stream: true });
        setText((before) => (response.status === 206 ? before + added : added));
      })
      .catch((error: unknown) => {
        // 416 means that nothing was added.
        if (!(error instanceof Error && "status" in error && error.status === 416))
          setRefusal(explain(error)?.text ?? "");
      })
      .finally(() => {
        isReading.current = false;
      });
  };
  return { text, refusal, read };
}
