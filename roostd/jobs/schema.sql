-- The daemon's store. A version that is not this one's is refused or brought forward in store.py.

CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, created REAL NOT NULL, record BLOB NOT NULL) WITHOUT ROWID;

-- AUTOINCREMENT: a number is never given twice, and one that was rolled back is given again, so that there is no gap.
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    job TEXT NOT NULL,
    data BLOB NOT NULL
);

-- Which changing requests were carried out, on which job (as its reply number n), so that the same request does nothing twice.
CREATE TABLE IF NOT EXISTS requests (
    id TEXT PRIMARY KEY,
    verb TEXT NOT NULL,
    at REAL NOT NULL,
    job TEXT,
    n INTEGER
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS replies (
    job TEXT NOT NULL,
    n INTEGER NOT NULL,
    reply BLOB NOT NULL,
    resolved INTEGER NOT NULL,
    PRIMARY KEY (job, n)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS ledgers (job TEXT PRIMARY KEY, ledger BLOB NOT NULL) WITHOUT ROWID;
