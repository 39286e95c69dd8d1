declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
/** What the build tells the service worker. */
interface ImportMeta {
  readonly env: { readonly SHELL_VERSION: string; readonly SHELL_FILES: readonly string[] };
}
declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown';

  export const gfm: Plugin;
}
