/** The announced removal (contract 13.3) of a route, or only of some fields of its requests or answers. */
export interface Deprecation {
  /** The days of the announcement and of the removal, `2027-01-31`. */
  readonly since: string;
  readonly sunset: string;
  /** The replacement, for the document. */
  readonly use: string;
  /** Only these are removed. Their own schemas carry `deprecated: true`. */
  readonly fields?: readonly string[];
}

const timeOf = (day: string): number => Date.parse(day);
const isDay = (day: string): boolean => {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? timeOf(day) : Number.NaN;
  // `Date.parse` reads the 31st of February as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};
const aYearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;

/** Throws when there is less than a year between announcement and removal. */
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
