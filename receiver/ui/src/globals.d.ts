/** Path of the layout worker, which build.mjs fills in. */
declare const LAYOUT_WORKER: string
declare module '*.css'
