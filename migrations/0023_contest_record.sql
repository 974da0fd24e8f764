-- The record of a contest has eight kinds of events, and names the games that begin.

CREATE TABLE contest_record (
    contest INTEGER NOT NULL REFERENCES contests (id),
    number  INTEGER NOT NULL,                       -- from 1 (the making), without gaps
    kind    TEXT    NOT NULL,                       -- made, entered, left, opened, withdrawn, ruled, closed, reopened
    at      INTEGER NOT NULL,
    player  INTEGER REFERENCES players (id),        -- whom it is about; NULL: everybody
    other   INTEGER REFERENCES players (id),        -- opened: the opponent, who moves second
    pair    INTEGER,                                -- closed, reopened: the number of a game, from 0
    text    TEXT    NOT NULL,
    PRIMARY KEY (contest, number)
) STRICT, WITHOUT ROWID;

INSERT INTO contest_record
SELECT contest, row_number() OVER (PARTITION BY contest ORDER BY number),
    CASE kind
        WHEN 'joined' THEN 'entered'
        WHEN 'seated' THEN 'entered'
        WHEN 'meets' THEN 'opened'
        WHEN 'ended' THEN 'closed'
        WHEN 'resumed' THEN 'reopened'
        WHEN 'changed' THEN 'ruled'
        WHEN 'planned' THEN 'ruled'
        WHEN 'announced' THEN 'ruled'
        WHEN 'began' THEN 'ruled'
        WHEN 'started' THEN 'ruled'
        WHEN 'warned' THEN 'ruled'
        WHEN 'auto' THEN 'ruled'
        WHEN 'paired' THEN 'ruled'
        ELSE kind
    END,
    at,
    -- `challenged` and `meets` become one: the first moves first.
    iif(kind = 'meets' AND asks = 'first', asker, player),
    iif(kind = 'meets', iif(asks = 'first', player, asker), NULL),
    iif(kind IN ('ended', 'resumed'), CAST(text AS INTEGER), NULL),
    CASE kind
        WHEN 'joined' THEN iif(text = 'once', '{"once":true}', '{}')
        WHEN 'seated' THEN iif(json_valid(text), json_object('seat', json(text)), '')
        WHEN 'meets' THEN coalesce(asks, '')
        WHEN 'ended' THEN ''
        WHEN 'resumed' THEN ''
        WHEN 'changed' THEN iif(json_valid(text), json_object('options', json(text)), '')
        WHEN 'planned' THEN iif(json_valid(text), json_object('plan', json(text)), '')
        WHEN 'announced' THEN '"announced"'
        WHEN 'began' THEN '"began"'
        WHEN 'started' THEN '"started"'
        WHEN 'warned' THEN '"warned"'
        WHEN 'auto' THEN json_object('auto', json(iif(text = 'on', 'true', 'false')))
        WHEN 'paired' THEN '"paired"'
        -- All play all: what the text names has no board.
        WHEN 'opened' THEN (
            WITH RECURSIVE
                sizes (seats) AS (
                    SELECT count(*) FROM contest_events WHERE contest = e.contest AND kind = 'seated'
                    AND iif(json_valid(text), text ->> 'group' = e.opened, 0)
                ),
                places (place) AS (
                    SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place + 1 < (SELECT seats FROM sizes)
                ),
                rounds (round) AS (
                    SELECT 0 UNION ALL SELECT round + 1 FROM rounds WHERE round + 1 < e.rounds
                )
            SELECT json_object(
                'group', e.opened,
                'pairs', json('[' || coalesce(group_concat(
                    iif((low.place + high.place + round) % 2 = 1, '[' || low.place || ',' || high.place || ']',
                        '[' || high.place || ',' || low.place || ']'),
                    ',' ORDER BY high.place, low.place, round
                ), '') || ']'),
                'without', json(iif(json_valid(e.without), e.without, json_quote(e.text)))
            )
            FROM places high JOIN places low ON low.place < high.place JOIN rounds
        )
        ELSE text
    END
FROM (
    SELECT *,
        CASE kind WHEN 'meets' THEN (SELECT player FROM contest_events c WHERE c.contest = o.contest
            AND c.number < o.number AND c.kind = 'challenged' ORDER BY c.number DESC LIMIT 1) END AS asker,
        CASE kind WHEN 'meets' THEN (SELECT text FROM contest_events c WHERE c.contest = o.contest
            AND c.number < o.number AND c.kind = 'challenged' ORDER BY c.number DESC LIMIT 1) END AS asks,
        CASE kind WHEN 'opened' THEN (SELECT count(*) FROM contest_events c WHERE c.contest = o.contest
            AND c.number < o.number AND c.kind = 'opened') END AS opened,
        CASE kind WHEN 'opened' THEN (SELECT iif(json_valid(text), text ->> 'rounds', 1) FROM contest_events c
            WHERE c.contest = o.contest AND c.number = 1) END AS rounds,
        CASE kind WHEN 'opened' THEN '[' || replace(trim(text), ' ', ',') || ']' END AS without
    FROM contest_events o
) e
WHERE kind NOT IN ('challenged', 'decided', 'more')
ORDER BY contest, number;

DROP TABLE contest_events;
ALTER TABLE contest_record RENAME TO contest_events;
CREATE INDEX contest_events_of_players ON contest_events (player, contest) WHERE player IS NOT NULL;

UPDATE contests SET
    events = (SELECT max(number) FROM contest_events WHERE contest = id),
    changed_at = (SELECT at FROM contest_events WHERE contest = id ORDER BY number DESC LIMIT 1)
WHERE id IN (SELECT contest FROM contest_events);

-- They are made anew.
DELETE FROM contest_snapshots;
-- It is told no more.
DELETE FROM contest_news WHERE kind = 'decided';
