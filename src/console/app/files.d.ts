// Bundled into the one style of the console.
declare module "*.css";
