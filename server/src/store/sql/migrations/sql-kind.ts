/** Which database a migration runs on. */
export type SqlKind = 'sqlite' | 'postgres';
