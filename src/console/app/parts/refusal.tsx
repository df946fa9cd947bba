/** The refusal of the server, in words; nothing for an empty text. */
export function Refusal({ text }: { readonly text: string }) {
  if (text === "") return null;
  return (
    <p class="refusal" role="alert">
      {text}
    </p>
  );
}
