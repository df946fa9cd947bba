// Imported `with { type: "text" }`.
declare module "*/Containerfile" {
  const text: string;
  export default text;
}
declare module "*/completion.bash" {
  const text: string;
  export default text;
}
declare module "*/completion.zsh" {
  const text: string;
  export default text;
}
declare module "*/completion.fish" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
