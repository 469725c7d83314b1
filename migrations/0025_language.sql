-- The language of a link's pages for visitors; null for that of each visitor.
ALTER TABLE links ADD COLUMN language TEXT;
