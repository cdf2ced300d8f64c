// Style sheets as the bundler imports them: a module sheet is a map of class names, a plain one only has an effect.
declare module '*.module.css' {
  const classes: { readonly [name: string]: string };
  export default classes;
}
declare module '*.css' {}
declare module '@fontsource-variable/inter' {}
declare module '@fontsource-variable/jetbrains-mono' {}
