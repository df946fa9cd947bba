import { attempt, showDone } from "../../state/toasts.ts";

/** Copies a text to the clipboard, which browsers allow only on HTTPS and localhost. */
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
