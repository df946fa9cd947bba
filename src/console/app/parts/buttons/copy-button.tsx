import { attempt, showDone } from "../../state/toasts.ts";

/** Puts a text on the clipboard. Browsers have one for pages of HTTPS and of the own machine only. */
export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  if (!isSecureContext) return null;
  const copy = () =>
    attempt(async () => {
      await navigator.clipboard.writeText(text);
      showDone("Copied");
    });
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
    </button>
  );
}
