declare module 'handlebars/dist/handlebars.runtime.min.js' {
  const Handlebars: {
    template<T>(compiled: Readonly<Record<string, unknown>>): (data: T) => string
  }
  // biome-ignore lint/style/noDefaultExport: the module has one
  export default Handlebars
}
