-- Commits a change by the rules of evaluateChange in backend.ts. The server runs a script in one step. All conditions are checked before the
-- first write. A full or read-only server refuses the first write of a script; once it has accepted one, it accepts all. So a change is made
-- as a whole or not at all.
--
-- KEYS: every add, put and remove, then the index of every member to add and to remove.
-- ARGV: the position of the once key among the puts (0 for none), how many adds, puts, removes and members to add there are; then of every add
-- by, atMost and expires, of every put entry and expires, of every member to add member and expires, every member to remove. Expiries are Unix
-- milliseconds. What is absent is an empty text.
-- Returns 0 when the change was made, -1 for a duplicate, and the position of the add that was refused.

local keys, argv, call, pcall, tonumber = KEYS, ARGV, redis.call, redis.pcall, tonumber
local match, format, abs = string.match, string.format, math.abs
local adds, puts, removes, members = tonumber(argv[2]), tonumber(argv[3]), tonumber(argv[4]), tonumber(argv[5])

-- Number.MAX_SAFE_INTEGER. Lua has the same numbers as JavaScript. '%.0f' prints all digits; tostring does not.
local LARGEST = 9007199254740991

local once = tonumber(argv[1])
if once > 0 and call('EXISTS', keys[adds + once]) == 1 then return -1 end

-- Of each counter its value, and what follows that in the entry: matching is faster than decoding JSON.
local values, ends, changed, created = {}, {}, {}, {}
local at = 5
for position = 1, adds do
	local key, by, limit = keys[position], tonumber(argv[at + 1]), argv[at + 2]
	local value = values[key]
	if not value then
		local entry = pcall('GET', key)
		if not entry then
			local expires = argv[at + 3]
			value, ends[key] = 0, expires == '' and '}' or ',"expires":' .. expires .. '}'
			created[key], changed[key] = expires, true
		elseif type(entry) == 'table' then
			return entry
		else
			local digits, rest = match(entry, '^{"value":(%-?%d+)([,}].*)$')
			value, ends[key] = tonumber(digits), rest
		end
		if not value or abs(value) > LARGEST then
			return redis.error_reply('EASEL An entry in the store is not a counter.')
		end
	end
	local sum = value + by
	if by >= 0 and limit ~= '' and sum > tonumber(limit) then return position end
	if abs(sum) > LARGEST then
		return redis.error_reply('EASEL A counter in the store would exceed the largest safe integer.')
	end
	values[key] = sum
	if by ~= 0 then changed[key] = true end
	at = at + 3
end

local function set(key, entry, expires)
	if expires == '' then call('SET', key, entry) else call('SET', key, entry, 'PXAT', expires) end
end
for key in pairs(changed) do
	local entry, expires = format('{"value":%.0f%s', values[key], ends[key]), created[key]
	if expires then set(key, entry, expires) else call('SET', key, entry, 'KEEPTTL') end
end
local last = adds
for position = last + 1, last + puts do
	set(keys[position], argv[at + 1], argv[at + 2])
	at = at + 2
end
last = last + puts
for position = last + 1, last + removes do call('UNLINK', keys[position]) end
last = last + removes
for position = last + 1, last + members do
	call('ZADD', keys[position], '0', argv[at + 1])
	if argv[at + 2] ~= '' then call('PEXPIREAT', keys[position], argv[at + 2]) end
	at = at + 2
end
last = last + members
for position = last + 1, #keys do
	at = at + 1
	call('ZREM', keys[position], argv[at])
end
return 0
