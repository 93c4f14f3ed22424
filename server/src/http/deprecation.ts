/** What is announced to go (contract 13.3): a route, or only some fields of what it takes or answers. */
export interface Deprecation {
  /** The days on which it was announced and on which it goes, `2027-01-31`. */
  readonly since: string;
  readonly sunset: string;
  /** What to use instead, for the document. */
  readonly use: string;
  /** Only these go. Their own schemas carry `deprecated: true`. */
  readonly fields?: readonly string[];
}

const timeOf = (day: string): number => Date.parse(day);
const isDay = (day: string): boolean => {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? timeOf(day) : Number.NaN;
  // The 31st of February would be read as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};
const aYearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;

/** Throws for what is not announced for a year. */
export function checkDeprecation({ since, sunset }: Deprecation): void {
  if (!isDay(since) || !isDay(sunset) || sunset < aYearAfter(since))
    throw new Error(`deprecated since ${since}, gone on ${sunset}: there must be a year between two days`);
}

/** RFC 9745 and RFC 8594. */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  deprecation: `@${timeOf(since) / 1000}`,
  sunset: new Date(timeOf(sunset)).toUTCString(),
});

/** For the description of an operation. */
export function deprecationText({ since, sunset, use, fields }: Deprecation): string {
  const what = fields ? `${fields.map((name) => `\`${name}\``).join(', ')}: deprecated` : 'Deprecated';
  return `**${what}** since ${since}, gone on ${sunset}. Use ${use}.`;
}
