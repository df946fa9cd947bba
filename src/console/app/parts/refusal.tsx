/** The error message of the server; nothing for an empty text. */
export function Refusal({ text }: { readonly text: string }) {
  if (text === "") return null;
  return (
    <p class="refusal" role="alert">
      {text}
    </p>
  );
}
