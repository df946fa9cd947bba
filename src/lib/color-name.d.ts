declare module "color-name" {
  /** Name in lower case → red, green, blue, 0 to 255 each. */
  const colors: Readonly<Record<string, readonly [number, number, number]>>;
  export default colors;
}
