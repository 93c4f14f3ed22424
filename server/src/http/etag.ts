/** Whether `If-None-Match` matches this ETag, by weak comparison as RFC 9110 requires. */
export function matchesEtag(header: string | string[] | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const bare = (text: string) => text.trim().replace(/^W\//, '');
  return String(header)
    .split(',')
    .some((offer) => offer.trim() === '*' || bare(offer) === bare(etag));
}
