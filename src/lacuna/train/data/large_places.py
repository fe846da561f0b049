"""Places that hold others: a thing in one of their towns is in them as well."""

LARGE_PLACES = frozenset(
    place.strip()
    for place in """
    Africa, America, Asia, Europe, North America, South America, Latin America, Oceania,
    Scandinavia, Afghanistan, Albania, Algeria, Angola, Argentina, Armenia, Australia, Austria,
    Azerbaijan, Bangladesh, Belarus, Belgium, Bolivia, Bosnia, Brazil, Britain, Great Britain,
    Bulgaria, Burma, Cambodia, Cameroon, Canada, Chile, China, Colombia, Congo, Croatia, Cuba,
    Cyprus, Czechoslovakia, Czech Republic, Denmark, Ecuador, Egypt, England, Estonia, Ethiopia,
    Finland, France, Georgia, Germany, East Germany, West Germany, Ghana, Greece, Hungary,
    Iceland, India, Indonesia, Iran, Iraq, Ireland, Northern Ireland, Israel, Italy, Jamaica,
    Japan, Jordan, Kazakhstan, Kenya, Korea, North Korea, South Korea, Kuwait, Latvia, Lebanon,
    Libya, Lithuania, Luxembourg, Malaysia, Mexico, Mongolia, Morocco, Myanmar, Nepal,
    Netherlands, New Zealand, Nigeria, Norway, Pakistan, Panama, Peru, Philippines, Poland,
    Portugal, Prussia, Romania, Russia, Saudi Arabia, Scotland, Serbia, Singapore, Slovakia,
    Slovenia, South Africa, Soviet Union, Spain, Sri Lanka, Sudan, Sweden, Switzerland, Syria,
    Taiwan, Tanzania, Thailand, Tunisia, Turkey, Uganda, Ukraine, United Kingdom, UK, United
    States, US, U.S., USA, United States of America, Uruguay, USSR, Venezuela, Vietnam, Wales,
    Yemen, Yugoslavia, Zambia, Zimbabwe, Alabama, Alaska, Arizona, Arkansas, California,
    Colorado, Connecticut, Delaware, Florida, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas,
    Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, Mississippi,
    Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, North
    Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina,
    South Dakota, Tennessee, Texas, Utah, Vermont, Virginia, Washington, West Virginia,
    Wisconsin, Wyoming, British Columbia, Ontario, Quebec, Alberta, Manitoba, New South Wales,
    Victoria, Queensland, Bavaria, Saxony, Catalonia, Lombardy, Tuscany, Sicily, Punjab, Bengal
    """.replace("\n", " ").split(",")
)
