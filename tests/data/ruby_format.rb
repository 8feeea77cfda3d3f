# SPDX-License-Identifier: GPL-2.0-only
# Writes ruby_format.txt (format|value|text): ruby ruby_format.rb > ruby_format.txt   (made with ruby 3.1.2)
random = Random.new(20)
show = lambda { |format, x| puts "#{format}|#{'%a' % x}|#{format % x}" }
near = lambda { |x| (random.rand(9) - 4).then { |ulps| ulps.abs.times { x = ulps < 0 ? x.prev_float : x.next_float }; x } }

# Within four ulp of a tie, as many digits before it as numbers in a table have.
400.times do
  places = random.rand(4)
  tie = (random.rand(10**random.rand(1..8)) + 0.5) / 10**places
  show.("%#{['', '+'].sample(random: random)}10.#{places}f", near.(random.rand(4) == 0 ? -tie : tie))
end
400.times do
  digits = random.rand(1..6)
  tie = (random.rand(10**(digits - 1)...10**digits) + 0.5) * 10.0**random.rand(-12..110)
  show.("%#{['', '+'].sample(random: random)}10.#{digits}g", near.(tie))
end
# Means of values with two decimals, as tables have them.
300.times do
  values = Array.new(random.rand(2..12)) { random.rand(100000) / 100.0 }
  show.('%10.2f', values.sum / values.size)
end
# Integers for the short form, which keep some of their zeros.
200.times { show.('%10.4g', (random.rand(1000..9999) * 10 + [4, 5, 6].sample(random: random)).to_f * 10**random.rand(4..11)) }
# Anything.
300.times do
  x = 10**(random.rand * 600 - 300) * [1, -1].sample(random: random)
  show.("%10.#{random.rand(18)}g", x)
  show.("%10.#{random.rand(4)}f", x.abs < 1e20 ? x : x.abs**0.05)
end
# The edges of the format and of the type.
[0.0, -0.0, 5e-324, Float::MIN, Float::MAX, 1e22, 1e23, 1e106, 1e-100, Float::INFINITY, -Float::INFINITY, Float::NAN].each do |x|
  ['%10.2f', '%+10.1f', '%10.0f', '%10.4g', '%+10.2g', '%10.0g', '%.17g'].each { |format| show.(format, x) }
end
