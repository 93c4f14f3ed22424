const COLUMNS = 'id, target, event, body, state, attempts, next_at, status, error, created_at, done_at';
const MAX_ROWS = 20_000;

/** Every delivery and its outcome, in the module's own SQLite file: it survives a restart. */
export function createDeliveryLog(sql) {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      target TEXT NOT NULL,
      event TEXT NOT NULL,
      body TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'pending',
      attempts INTEGER NOT NULL DEFAULT 0,
      next_at INTEGER,
      status INTEGER,
      error TEXT NOT NULL DEFAULT '',
      created_at INTEGER NOT NULL,
      done_at INTEGER
    );
    CREATE INDEX IF NOT EXISTS deliveries_state ON deliveries (state, next_at);
  `);

  return {
    add({ target, event, body, now }) {
      const { lastInsertRowid } = sql.run(
        'INSERT INTO deliveries (target, event, body, next_at, created_at) VALUES (?, ?, ?, ?, ?)',
        target,
        event,
        body,
        now,
        now,
      );
      return lastInsertRowid;
    },
    get: (id) => sql.get(`SELECT ${COLUMNS} FROM deliveries WHERE id = ?`, Number(id)),
    pending: () => sql.all(`SELECT id, next_at FROM deliveries WHERE state = 'pending' ORDER BY id`),
    countPending: () =>
      Number(sql.get(`SELECT COUNT(*) AS n FROM deliveries WHERE state = 'pending'`)?.n ?? 0),
    list({ target, state, limit, offset }) {
      const where = `WHERE (? = '' OR target = ?) AND (? = '' OR state = ?)`;
      const given = [target, target, state, state];
      const total = Number(sql.get(`SELECT COUNT(*) AS n FROM deliveries ${where}`, ...given)?.n ?? 0);
      const items = sql.all(
        `SELECT ${COLUMNS} FROM deliveries ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
        ...given,
        limit,
        offset,
      );
      return { items, total };
    },
    delivered: (id, { status, now }) =>
      void sql.run(
        `UPDATE deliveries SET state = 'delivered', attempts = attempts + 1, status = ?, error = '', next_at = NULL, done_at = ? WHERE id = ?`,
        status,
        now,
        id,
      ),
    failed: (id, { status, error, nextAt, now }) =>
      void sql.run(
        'UPDATE deliveries SET state = ?, attempts = attempts + 1, status = ?, error = ?, next_at = ?, done_at = ? WHERE id = ?',
        nextAt === null ? 'failed' : 'pending',
        status,
        error,
        nextAt,
        nextAt === null ? now : null,
        id,
      ),
    /** Restarts its attempts. */
    revive: (id, now) =>
      sql.run(
        `UPDATE deliveries SET state = 'pending', attempts = 0, next_at = ?, done_at = NULL WHERE id = ? AND state <> 'pending'`,
        now,
        id,
      ).changes > 0,
    drop: (target) => void sql.run(`DELETE FROM deliveries WHERE target = ? AND state = 'pending'`, target),
    /** Removes old ones, and the oldest beyond the limit. */
    sweep: (before) =>
      void sql.run(
        `DELETE FROM deliveries WHERE state <> 'pending' AND (created_at < ? OR id <= (SELECT MAX(id) FROM deliveries) - ?)`,
        before,
        MAX_ROWS,
      ),
  };
}
