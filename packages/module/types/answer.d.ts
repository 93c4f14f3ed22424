import type { SpecialAnswer } from './description.ts';
interface TextOptions {
    readonly contentType?: string;
    /** Offers it as a download with this file name. */
    readonly download?: string;
    readonly cacheControl?: string;
}
/** Answers instead of the usual envelope. */
export declare const answer: {
    /** A page that runs no scripts and can reach nothing (`Content-Security-Policy: sandbox`). */
    html: (html: string) => SpecialAnswer;
    /** Any text: CSV, XML, plain. */
    text: (echo: string, { contentType, download, cacheControl }?: TextOptions) => SpecialAnswer;
    /** A file from the module's own folder. */
    file: (filename: string, options?: {
        contentType?: string;
        download?: string;
    }) => SpecialAnswer;
    /** 302, to a relative or http(s) address. */
    redirect: (to: string) => SpecialAnswer;
};
export {};
