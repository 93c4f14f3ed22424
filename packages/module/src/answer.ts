import type { SpecialAnswer } from './description.ts';

interface TextOptions {
  readonly contentType?: string;
  /** Offers it as a download with this file name. */
  readonly download?: string;
  readonly cacheControl?: string;
}

const quoted = (name: string): string => `"${name.replace(/[^\w .-]/g, '_')}"`;

/** Answers instead of the usual envelope. */
export const answer = {
  /** A page that runs no scripts and can reach nothing (`Content-Security-Policy: sandbox`). */
  html: (html: string): SpecialAnswer => ({ $pbxcore: 'answer', html }),

  /** Any text: CSV, XML, plain. */
  text: (
    echo: string,
    { contentType = 'text/plain', download, cacheControl }: TextOptions = {},
  ): SpecialAnswer => ({
    $pbxcore: 'answer',
    echo,
    headers: {
      'Content-Type': /^text\//.test(contentType) ? `${contentType}; charset=utf-8` : contentType,
      ...(download !== undefined && { 'Content-Disposition': `attachment; filename=${quoted(download)}` }),
      ...(cacheControl !== undefined && { 'Cache-Control': cacheControl }),
    },
  }),

  /** A file from the module's own folder. */
  file: (filename: string, options: { contentType?: string; download?: string } = {}): SpecialAnswer => ({
    $pbxcore: 'answer',
    fpassthru: {
      filename,
      ...(options.contentType !== undefined && { content_type: options.contentType }),
      ...(options.download !== undefined && { download_name: options.download }),
    },
  }),

  /** 302, to a relative or http(s) address. */
  redirect: (to: string): SpecialAnswer => ({ $pbxcore: 'answer', redirect: to }),
};
