import type { SpecialAnswer } from './description.ts';
interface TextOptions {
    readonly contentType?: string;
    /** Offers it as a download of this name. */
    readonly download?: string;
    readonly cacheControl?: string;
}
/** Answers instead of the usual envelope. */
export declare const answer: {
    /** A page; it runs no scripts and reaches nothing (`Content-Security-Policy: sandbox`). */
    html: (html: string) => SpecialAnswer;
    /** Any text: CSV, XML, plain. */
    text: (echo: string, { contentType, download, cacheControl }?: TextOptions) => SpecialAnswer;
    /** A file of the module's own folder. */
    file: (filename: string, options?: {
        contentType?: string;
        download?: string;
    }) => SpecialAnswer;
    /** 302, to a relative or http(s) address. */
    redirect: (to: string) => SpecialAnswer;
};
export {};
