// Imported `with { type: "text" }`.
declare module "*/Containerfile" {
  const text: string;
  export default text;
}
